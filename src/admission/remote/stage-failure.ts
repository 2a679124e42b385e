/** Why a step of staging ended, as the controller is to hear it. */
export type StageFailureCode = "content" | "input" | "no-room" | "system";

export class StageFailure extends Error {
  readonly code: StageFailureCode;

  constructor(code: StageFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A system's refusal by what can be done about it. */
export function toStageFailure(error: unknown): StageFailure {
  if (error instanceof StageFailure) return error;
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  const full = code === "ENOSPC" || code === "EDQUOT";
  return new StageFailure(full ? "no-room" : "system", `${code} ${message}`.slice(0, 300));
}
