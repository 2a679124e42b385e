import { readInputFile, toReadFailure } from "../definition/read-input-file.ts";
import { lockError } from "./errors.ts";

/** A lock or package.json, whole. @throws lock.unreadable, lock.too-large */
export async function readOwnFile(file: string, limit: number): Promise<Uint8Array> {
  const bytes = await readInputFile(file, limit).catch((cause: unknown) => {
    const got = toReadFailure(cause);
    throw lockError("lock.unreadable", { subject: file, expected: "a readable file", got, cause });
  });
  if (bytes.length <= limit) return bytes;
  throw lockError("lock.too-large", { subject: file, expected: `at most ${limit} bytes`, got: "more" });
}
