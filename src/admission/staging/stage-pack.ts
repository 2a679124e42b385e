import { zstdCompressSync } from "node:zlib";
import type { SandboxExecutor } from "../../sandbox/executor.ts";
import { parseAnswerLines } from "../../sandbox/marked-answer.ts";
import { toShellWord } from "../../sandbox/shell-quote.ts";
import { toToolSearch } from "../../sandbox/tool-search.ts";
import type { Entry } from "../../tree/entry.ts";
import type { StageOptions, StageProgress, StagingReport } from "../admission.ts";
import type { ExpectedPack } from "../expected-pack.ts";
import { toRefusal } from "../reason.ts";
import { parseBits } from "../remote/bit-set.ts";
import type { Steps } from "../steps.ts";
import { type CarrierOptions, toCarrier } from "./carrier.ts";
import { toPacked } from "./packed-stream.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { readSourceFile, readSourcePack, type SourcePack } from "./source-pack.ts";
import { toInterpreterScript } from "./stage-scripts.ts";
import { askScript, cleanUp, outputBytes, runTask, type StageSession } from "./stage-session.ts";

export interface StageRequest {
  readonly sandbox: SandboxExecutor;
  readonly expected: ExpectedPack;
  readonly roots: readonly string[];
  /** Directories without links in the sandbox that may hold files of the pack. */
  readonly sources: readonly string[];
  /** Inode of what stands at each root's place for this pack; "" for nothing. */
  readonly before: (root: string) => string;
  readonly options: StageOptions;
  readonly steps: Steps;
  readonly signal?: AbortSignal;
}

const defaultStepMs = 30 * 60_000;

/**
 * Puts the controller's pack into a sandbox (docs/admission.md steps 9 to 14).
 * @throws AdmissionError, `admission.*`; nothing half-made is left where the sandbox still answers
 */
export async function stagePack(request: StageRequest): Promise<StagingReport> {
  const source = readSourcePack(request.options.pack, request.expected);
  const session = toSession(request);
  const tell = (progress: StageProgress) => request.options.onProgress?.(progress);
  tell({ step: "prepare" });
  const place = await request.steps.take("prepare", () => prepare(session, request.roots, request.sources));
  try {
    return await fill({ request, session, source, place, tell });
  } catch (error) {
    const script = `${toToolSearch("rm", "rm")}$rm -rf ${toShellWord(place.directory)}\n`;
    await cleanUp(session, script);
    throw error;
  }
}

function toSession({ sandbox, expected, options, signal }: StageRequest): StageSession {
  const carrierOptions: CarrierOptions = {
    timeoutMs: options.stepTimeoutMs ?? defaultStepMs,
    maxOutputBytes: outputBytes,
    ...(signal === undefined ? {} : { signal }),
  };
  return { sandbox, expected, options: carrierOptions, carrier: toCarrier(sandbox, carrierOptions) };
}

interface Filling {
  readonly request: StageRequest;
  readonly session: StageSession;
  readonly source: SourcePack;
  readonly place: Prepared;
  readonly tell: (progress: StageProgress) => void;
}

async function fill(filling: Filling): Promise<StagingReport> {
  const { request, session, source, place, tell } = filling;
  const { steps, expected } = request;
  let bytesSent = 0;
  const count = (bytes: number) => {
    bytesSent += bytes;
  };
  const interpreter = source.listing.entries.find(({ path }) => path === expected.interpreter.path) as Entry;
  if (!place.hasInterpreter) {
    await steps.take("send the interpreter", () => sendInterpreter(filling, interpreter, count));
  }
  tell({ step: "compare" });
  const listing = zstdCompressSync(source.listingBytes);
  count(listing.length);
  const common = { directory: place.directory, treeDigest: source.listing.digest };
  const { missing, kept } = await steps.take("compare", () =>
    runTask(session, { task: "compare", ...common, sources: request.sources }, chunks(listing), ["compared"]),
  );
  const { entries } = source.listing;
  const files = parseBits(missing, entries.length)
    .map((index) => entries[index] as Entry)
    .filter(({ type }) => type !== "d");
  const final = `${place.root}/${expected.id}`;
  await steps.take("send files, verify", () => {
    const args = { task: "receive", ...common, missing, final, before: request.before(place.root) } as const;
    const { manifestSha256 } = expected;
    return runTask(
      session,
      { ...args, manifestSha256, manifestBytes: source.manifest.length },
      sendFiles(filling, files, count),
      ["placed", "theirs"],
    );
  });
  const sent = place.hasInterpreter ? files : [interpreter, ...files];
  return {
    root: final,
    transport: session.carrier.transport,
    filesSent: sent.length,
    filesKept: kept - (place.hasInterpreter ? 0 : 1),
    bytesSent,
    bytesUnpacked: sent.reduce((sum, { size }) => sum + size, 0),
  };
}

async function sendInterpreter(
  { session, source, place, tell, request }: Filling,
  entry: Entry,
  count: (bytes: number) => void,
): Promise<void> {
  const { expected } = request;
  const step = "send the interpreter" as const;
  const bytes = counted(readSourceFile(source.root, entry), (done) =>
    tell({ step, done, total: entry.size }),
  );
  const packed = toPacked(bytes, place.hasGzip ? "gzip" : "none", count);
  const answer = await askScript(
    session,
    (mark) => toInterpreterScript(expected, place, place.hasGzip, mark),
    { source: packed, directory: place.directory },
  );
  const lines = parseAnswerLines(answer, session.sandbox.name);
  if (lines.get("code") === "0" && lines.get("sha256") === expected.interpreter.sha256) return;
  const free = Number((lines.get("df") ?? "").split("\n")[1]?.trim().split(/\s+/)[3] ?? Number.NaN);
  const full = free < 4096;
  throw toRefusal(full ? "admission.no-room" : "admission.staging-failed", {
    subject: `${place.directory}/pack/${expected.interpreter.path}`,
    expected: full ? "room for the interpreter" : `SHA-256 ${expected.interpreter.sha256}`,
    got: full ? `${free} KiB free` : lines.get("sha256") || `exit code ${lines.get("code")}`,
  });
}

/** The manifest, then the missing files in the listing's order, as one stream. */
function sendFiles({ source, tell }: Filling, files: readonly Entry[], count: (bytes: number) => void) {
  const total = files.reduce((sum, { size }) => sum + size, source.manifest.length);
  const step = "send files" as const;
  async function* read(): AsyncGenerator<Uint8Array> {
    yield source.manifest;
    for (const entry of files) yield* readSourceFile(source.root, entry);
    tell({ step: "verify" });
  }
  return toPacked(
    counted(read(), (done) => tell({ step, done, total })),
    "zstd",
    count,
  );
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  onDone: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of source) {
    done += chunk.length;
    onDone(done);
    yield chunk;
  }
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
