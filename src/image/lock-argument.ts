import { resolve } from "node:path";
import type { ArgumentDeclaration } from "./arguments.ts";
import { imageError } from "./errors.ts";
import { hashInput } from "./hash-input.ts";
import type { ImageDefinition } from "./image-definition.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";

/** A lock to build with in place of the pack's own. The ID needs only its digest. */
export interface GivenLock {
  readonly file?: string;
  readonly sha256: string;
}

/**
 * The build arguments with the given lock's digest among them (requirement D5). An empty value is an error, never the default.
 * @throws image.lock-argument, image.build-undeclared
 */
export function withLock(
  given: ReadonlyMap<string, string>,
  lock: GivenLock | undefined,
  definition: ImageDefinition | undefined,
): ReadonlyMap<string, string> {
  const argument = definition?.build?.lock;
  if (argument === undefined) {
    if (lock === undefined) return given;
    throw imageError("image.build-undeclared", {
      subject: "--lock-sha256",
      expected: "`build.lock` in image.yaml",
      got: "none",
    });
  }
  const value = lock?.sha256 ?? given.get(argument);
  if (value === undefined) return given;
  const refuse = (expected: string, got: string) =>
    imageError("image.lock-argument", { subject: argument, expected, got: toShownText(got) });
  if (!/^[0-9a-f]{64}$/.test(value)) throw refuse("64 lowercase hex digits", JSON.stringify(value));
  const other = given.get(argument);
  if (other !== undefined && other !== value) throw refuse(`${value}, as --lock-sha256 says`, other);
  const found = lock?.file === undefined ? value : hashInput(resolve(lock.file), lock.file);
  if (found !== value) throw refuse(`a lock with SHA-256 ${value}`, found);
  return new Map(given).set(argument, value);
}

/** The default serves builds without a workflow; it must be the digest that the pack itself pins. */
export function lockDefaultFindings(
  declared: readonly ArgumentDeclaration[],
  argument: string,
  pinned: string,
  file: string,
): ImageFinding[] {
  const found = declared.filter(({ name, fallback }) => name === argument && fallback !== undefined);
  const expected = `ARG ${argument}=${pinned}`;
  if (found.length === 0)
    return [{ code: "image.lock-default-drift", file, line: 0, expected, got: "no default" }];
  return found
    .filter(({ fallback }) => fallback !== pinned)
    .map(({ line, fallback }) => ({
      code: "image.lock-default-drift",
      file,
      line,
      expected,
      got: toShownText(fallback ?? ""),
    }));
}
