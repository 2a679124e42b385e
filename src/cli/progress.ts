import type { Io } from "./io.ts";

const silenceMs = 10_000;
const redrawMs = 100;

export interface Progress {
  readonly update: (state: {
    readonly step: string;
    readonly done?: number;
    readonly total?: number;
  }) => void;
  readonly end: () => void;
}

/**
 * Shows what a long command is doing, on stderr. On a terminal one line is rewritten; elsewhere each step has a line, and
 * a step that takes longer says so every ten seconds.
 */
export function startProgress(io: Io): Progress {
  return io.isTerminal ? startLine(io) : startLog(io);
}

function startLine(io: Io): Progress {
  let drawn = 0;
  return {
    update: (state) => {
      const now = performance.now();
      if (state.done !== undefined && state.done !== state.total && now - drawn < redrawMs) return;
      drawn = now;
      io.stderr(`\r\u001b[K${toText(state)}`);
    },
    end: () => io.stderr("\r\u001b[K"),
  };
}

function startLog(io: Io): Progress {
  let step = "";
  let last = "";
  const timer = setInterval(() => io.stderr(`sealpack: still at ${last}\n`), silenceMs).unref();
  return {
    update: (state) => {
      last = toText(state);
      if (state.step === step) return;
      step = state.step;
      timer.refresh();
      io.stderr(`sealpack: ${state.step}\n`);
    },
    end: () => clearInterval(timer),
  };
}

function toText(state: { readonly step: string; readonly done?: number; readonly total?: number }): string {
  return state.done === undefined ? state.step : `${state.step} ${state.done}/${state.total ?? "?"}`;
}
