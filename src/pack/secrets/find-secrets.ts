import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as rest } from "node:timers/promises";
import type { Entry } from "../../tree/entry.ts";
import type { Finding } from "../../tree/finding.ts";
import { secretsError } from "./errors.ts";
import { toNamedRule } from "./named-files.ts";
import { longestSecret, type SecretHit, scanText } from "./scan-text.ts";

const startLength = 8_192;
const pieceLength = 1024 * 1024;
const findingLimit = 200;

/**
 * Searches the text files of a listed tree for credentials. A file with a NUL in its first 8 KiB is not text. Memory does
 * not grow with the files; at most the first 200 findings are returned, in the order of `entries`.
 * @throws secrets.unreadable
 */
export async function findSecrets(root: string, entries: readonly Entry[]): Promise<Finding[]> {
  const buffer = Buffer.allocUnsafe(longestSecret + pieceLength);
  const findings: Finding[] = [];
  for (const [index, { type, path }] of entries.entries()) {
    if (type !== "d") findings.push(...scanFile(root, path, buffer));
    if (findings.length >= findingLimit) break;
    // A long search must not keep a progress line or a Ctrl-C waiting.
    if (index % 256 === 0) await rest();
  }
  return findings.slice(0, findingLimit);
}

function scanFile(root: string, path: string, buffer: Buffer): Finding[] {
  const descriptor = open(join(root, path), path);
  try {
    const start = readSync(descriptor, buffer, 0, startLength, 0);
    if (buffer.subarray(0, start).includes(0)) return [];
    return scanPieces(descriptor, path, buffer, start);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Pieces overlap by the longest secret and one character: what begins in the overlap counts in the next piece, so that
 * each is counted once and seen whole, with what stands before and after it.
 */
function scanPieces(descriptor: number, path: string, buffer: Buffer, start: number): Finding[] {
  const named = toNamedRule(path);
  const findings: Finding[] = [];
  let [filled, position, from, line] = [start, start, 0, 1];
  while (findings.length < findingLimit) {
    const count = readSync(descriptor, buffer, filled, buffer.length - filled, position);
    position += count;
    filled += count;
    if (count > 0 && filled < buffer.length) continue;
    const text = buffer.toString("latin1", 0, filled);
    const to = count === 0 ? filled : filled - longestSecret;
    const hits = [...scanText(text), ...(named?.(text) ?? [])].filter(
      ({ index }) => index >= from && index < to,
    );
    findings.push(...hits.map((hit) => toFinding(path, hit, line + countLines(text, hit.index))));
    if (count === 0) break;
    line += countLines(text, to - 1);
    buffer.copy(buffer, 0, to - 1, filled);
    filled -= to - 1;
    from = 1;
  }
  return findings;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function toFinding(path: string, { code, name }: SecretHit, line: number): Finding {
  return { code, path, expected: "no credential", got: `${name} on line ${line}` };
}

/** O_NONBLOCK: what took a file's place must not make us wait. */
function open(file: string, path: string): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const facts = { subject: path, expected: "a file that can be read", got: String(cause), cause };
    throw secretsError("secrets.unreadable", facts);
  }
}
