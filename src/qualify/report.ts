import { isSealpackError } from "../errors.ts";
import type { ManifestCommand, ManifestTarget } from "../manifest/types.ts";

/** What was found out about executables by running them (schema `sealpack/capability-report/v1`). */
export interface CapabilityReport {
  readonly schema: "sealpack/capability-report/v1";
  readonly ok: boolean;
  /** Null where an executable outside a pack was asked for. */
  readonly pack: {
    readonly name: string;
    readonly target: ManifestTarget;
    readonly manifest: string;
    readonly sourceRevision: string;
  } | null;
  /** `loopback` where this machine could reach nothing else while it ran. */
  readonly network: "loopback" | "open";
  /** No request here is paid for: the providers are mocks (Q1, Q2). */
  readonly spentUsd: 0;
  readonly subjects: readonly SubjectReport[];
}

export interface SubjectReport {
  readonly name: string;
  readonly version: string;
  /** Files by name, with their SHA-256: launcher, executable, entry, bridge. */
  readonly digests: Readonly<Record<string, string>>;
  /** The model that every request named. */
  readonly model: string;
  readonly ok: boolean;
  readonly checks: readonly CheckReport[];
}

export interface CheckReport {
  readonly name: string;
  /** `skipped` after a failure that it depends on. */
  readonly status: "passed" | "failed" | "skipped";
  readonly milliseconds: number;
  readonly code?: string;
  readonly message?: string;
}

/** Checks of one subject, one after the other. */
export interface Checklist {
  /** Runs one; after a failure the following ones are skipped and give undefined. */
  check<T>(name: string, work: () => T | Promise<T>): Promise<T | undefined>;
  /** Runs even after a failure: what is left behind is worth knowing then too. */
  always(name: string, work: () => void | Promise<void>): Promise<void>;
  readonly reports: readonly CheckReport[];
}

export function createChecklist(onCheck: (check: CheckReport) => void = () => {}): Checklist {
  const reports: CheckReport[] = [];
  const add = (report: CheckReport): void => {
    reports.push(report);
    onCheck(report);
  };
  const run = async <T>(name: string, work: () => T | Promise<T>): Promise<T | undefined> => {
    const begin = performance.now();
    const time = (): number => Math.round(performance.now() - begin);
    try {
      const value = await work();
      add({ name, status: "passed", milliseconds: time() });
      return value;
    } catch (error) {
      const code = isSealpackError(error) ? error.code : "qualify.defect";
      const message = error instanceof Error ? error.message : String(error);
      add({ name, status: "failed", milliseconds: time(), code, message });
      return undefined;
    }
  };
  return {
    reports,
    check: async (name, work) => {
      if (reports.every(({ status }) => status === "passed")) return run(name, work);
      add({ name, status: "skipped", milliseconds: 0 });
      return undefined;
    },
    always: async (name, work) => void (await run(name, work)),
  };
}

export function toSubjectReport(
  facts: Pick<SubjectReport, "name" | "version" | "digests" | "model">,
  { reports }: Checklist,
): SubjectReport {
  return { ...facts, ok: reports.every(({ status }) => status === "passed"), checks: [...reports] };
}

export function toDigests({
  launcher,
  executable,
  entry,
}: ManifestCommand): Readonly<Record<string, string>> {
  const files = { launcher, executable, ...(entry === undefined ? {} : { entry }) };
  return Object.fromEntries(Object.entries(files).map(([name, { sha256 }]) => [name, sha256]));
}
