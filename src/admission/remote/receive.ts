import { createHash } from "node:crypto";
import { closeSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import type { Entry } from "../../tree/entry.ts";
import { parseBits } from "./bit-set.ts";
import { parseBound } from "./compare.ts";
import { createFile, writeAll } from "./copy-file.ts";
import { keepFresh } from "./keep-fresh.ts";
import { placePack } from "./place-pack.ts";
import { printReport } from "./print-report.ts";
import type { ReceiveArguments, StageAnswer } from "./stage-arguments.ts";
import { StageFailure } from "./stage-failure.ts";
import { verifyRemote } from "./verify-remote.ts";

const reportCharacters = 40_000;

/** Takes the manifest and the missing files as one stream, in the listing's order; verifies the whole tree; puts it in its place. */
export async function receive(args: ReceiveArguments, input: AsyncIterable<Buffer>): Promise<StageAnswer> {
  const pack = `${args.directory}/pack`;
  const { entries } = parseBound(readFileSync(`${pack}/sealpack.tree`), args.treeDigest);
  const missing = parseBits(args.missing, entries.length).map((index) => entries[index] as Entry);
  await writeFiles(pack, [toManifestEntry(args), ...missing], input, keepFresh(args.directory));
  const options = { manifestSha256: args.manifestSha256, rootOwned: false };
  const report = await verifyRemote(pack, options);
  if (!report.ok) return { kind: "unsound", report: printReport(report, reportCharacters) };
  const isSound = async (root: string) => (await verifyRemote(root, options)).ok;
  return { kind: await placePack({ pack, ...args }, isSound) };
}

function toManifestEntry({ manifestBytes, manifestSha256 }: ReceiveArguments): Entry {
  return { type: "f", size: manifestBytes, digest: manifestSha256, path: "sealpack.json" };
}

async function writeFiles(
  pack: string,
  files: readonly Entry[],
  input: AsyncIterable<Buffer>,
  fresh: () => void,
): Promise<void> {
  const queue = [...files].reverse();
  let current: OpenFile | undefined;
  // What comes before the first byte of a file, or between two: empty files need no bytes to be whole.
  const settle = () => {
    for (;;) {
      if (current !== undefined && current.left > 0) return;
      current?.finish();
      const next = queue.pop();
      current = next === undefined ? undefined : new OpenFile(pack, next);
      if (current === undefined) return;
    }
  };
  settle();
  const unpacked = Readable.from(input).pipe(createZstdDecompress());
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; ) {
        if (current === undefined) throw new StageFailure("input", "more bytes than files");
        at += (current as OpenFile).write(chunk.subarray(at));
        settle();
      }
      fresh();
    }
  } catch (error) {
    if (error instanceof StageFailure || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new StageFailure("input", `stream: ${error instanceof Error ? error.message : "broken"}`);
  }
  if (current !== undefined || queue.length > 0) throw new StageFailure("input", "the stream ended early");
}

class OpenFile {
  readonly #entry: Entry;
  readonly #file: number;
  readonly #hash = createHash("sha256");
  left: number;

  constructor(pack: string, entry: Entry) {
    this.#entry = entry;
    this.#file = createFile(`${pack}/${entry.path}`, entry);
    this.left = entry.size;
  }

  /** Takes what belongs to this file, and says how much that was. */
  write(bytes: Uint8Array): number {
    const part = bytes.subarray(0, Math.min(bytes.length, this.left));
    writeAll(this.#file, part);
    this.#hash.update(part);
    this.left -= part.length;
    return part.length;
  }

  finish(): void {
    closeSync(this.#file);
    const got = this.#hash.digest("hex");
    if (got === this.#entry.digest) return;
    const { path, digest } = this.#entry;
    throw new StageFailure("content", `${path}: expected SHA-256 ${digest}, got ${got}`);
  }
}
