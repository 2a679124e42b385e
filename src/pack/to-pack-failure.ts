import { isSealpackError, type SealpackError } from "../errors.ts";
import { packError } from "./errors.ts";

const noSpace = new Set(["ENOSPC", "EDQUOT"]);
const notWritable = new Set(["EACCES", "EPERM", "EROFS"]);

/** What the file system refused, as a failure that says what to do. Anything that is no system error passes as it is. */
export function toPackFailure(error: unknown, out: string): SealpackError | unknown {
  if (isSealpackError(error) || !(error instanceof Error)) return error;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const facts = { subject: path ?? out, expected: `${syscall} to succeed`, got: code, cause: error };
  if (noSpace.has(code)) return packError("pack.no-space", facts);
  return packError(notWritable.has(code) ? "pack.not-writable" : "pack.io", facts);
}
