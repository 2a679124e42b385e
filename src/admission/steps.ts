import type { StepReport } from "./admission.ts";

export interface Steps {
  readonly done: readonly StepReport[];
  take<T>(name: string, action: () => Promise<T>): Promise<T>;
}

/** How long each step took, also of one that failed. */
export function startSteps(): Steps {
  const done: StepReport[] = [];
  return {
    done,
    take: async (name, action) => {
      const started = performance.now();
      try {
        return await action();
      } finally {
        done.push({ name, milliseconds: Math.round(performance.now() - started) });
      }
    },
  };
}
