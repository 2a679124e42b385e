import { isSealpackError, type SealpackError } from "../errors.ts";
import { packError } from "./errors.ts";

const noSpace = new Set(["ENOSPC", "EDQUOT"]);
const notWritable = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * What the file system refused, as a failure that says what to do. A full disk is one, whichever room met it; anything
 * else that is no system error passes as it is.
 */
export function toPackFailure(error: unknown, out: string): SealpackError | unknown {
  const met = isSealpackError(error) && error.code === "archive.write-failed" ? error.cause : error;
  if (isSealpackError(met) || !(met instanceof Error)) return error;
  const { code, path, syscall } = met as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const facts = { subject: path ?? out, expected: `${syscall} to succeed`, got: code, cause: met };
  if (noSpace.has(code)) return packError("pack.no-space", facts);
  if (met !== error) return error;
  return packError(notWritable.has(code) ? "pack.not-writable" : "pack.io", facts);
}
