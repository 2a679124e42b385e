import { randomBytes } from "node:crypto";

/** 32 hex characters that nobody in a sandbox can have guessed before the call. */
export function createNonce(): string {
  return randomBytes(16).toString("hex");
}
