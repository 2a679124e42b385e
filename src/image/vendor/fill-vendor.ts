import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackTarball } from "../../archive/unpack-tarball.ts";
import { toCachePath } from "../../fetch/cache-path.ts";
import { fetchTarballs } from "../../fetch/fetch-tarballs.ts";
import type { NpmOptions } from "../../fetch/npm-options.ts";
import { vendorError } from "./errors.ts";
import { fetchArchive } from "./fetch-archive.ts";
import type { InterpreterSource, VendorPlan } from "./plan-vendor.ts";
import { type Judge, putVerified, readChunks } from "./put-verified.ts";
import { assertOurs, sweepVendor } from "./sweep-vendor.ts";
import { toArchivePath, vendorNames } from "./vendor-paths.ts";

export interface FillRequest {
  readonly to: string;
  readonly cache: string;
  readonly offline: boolean;
  readonly npm: NpmOptions;
  /** Fleet archives given by file, and those left out by name. */
  readonly given: ReadonlyMap<string, string>;
  readonly without: readonly string[];
  readonly programs: VendoredPrograms;
  readonly signal: AbortSignal;
  readonly onProgress: (state: {
    readonly step: string;
    readonly done?: number;
    readonly total?: number;
  }) => void;
}

/** What is bundled from sealpack's own sources, each as one file. */
export interface VendoredPrograms {
  readonly writeTool: (path: string) => Promise<void>;
  /** False where this installation cannot make it: it is left out, and the report says so. */
  readonly writeRunnerd: (path: string) => Promise<boolean>;
}

export interface VendorReport {
  readonly runnerd: boolean;
  readonly packages: number;
  readonly archives: readonly {
    readonly name: string;
    readonly version: string;
    readonly from: "given" | "downloaded" | "kept" | "left out";
  }[];
}

/**
 * Fills a folder with everything that the image's build needs, so that the build needs no network. Each byte is checked against the lock
 * or the definition on its way in. What an earlier fetch left there and this one does not want is removed.
 */
export async function fillVendor(plan: VendorPlan, request: FillRequest): Promise<VendorReport> {
  const { to, onProgress } = request;
  assertKnown(plan, request);
  await assertOurs(to);
  await mkdir(to, { recursive: true });
  await writeFile(join(to, vendorNames.mark), "Filled by `sealpack fetch`, which also empties it.\n");
  onProgress({ step: "fetch packages" });
  const wanted = await putPackages(plan, request);
  onProgress({ step: "fetch fleet archives" });
  const archives = await putArchives(plan, request);
  onProgress({ step: "put interpreter, lock and tool" });
  await putNode(plan.node, request);
  await putVerified(join(to, vendorNames.lock), toStream(plan.lock), () => undefined);
  await request.programs.writeTool(join(to, vendorNames.tool));
  const runnerd = await request.programs.writeRunnerd(join(to, vendorNames.runnerd));
  const kept = archives.filter(({ from }) => from !== "left out").map(({ path }) => path);
  await sweepVendor(
    to,
    new Set([
      ...wanted,
      ...kept,
      ...[
        vendorNames.node,
        vendorNames.lock,
        vendorNames.tool,
        vendorNames.mark,
        ...(runnerd ? [vendorNames.runnerd] : []),
      ].map((name) => join(to, name)),
    ]),
  );
  return {
    runnerd,
    packages: plan.packages.length,
    archives: archives.map(({ path: _, ...archive }) => archive),
  };
}

function assertKnown({ fleet }: VendorPlan, { given, without }: FillRequest): void {
  const known = Object.keys(fleet?.archives ?? {});
  const unknown = [...given.keys(), ...without].find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw vendorError("vendor.archive-unknown", {
    subject: unknown,
    expected: known.join(", ") || "no archive",
    got: "another name",
  });
}

async function putPackages(
  plan: VendorPlan,
  { to, cache, offline, npm, signal, onProgress }: FillRequest,
): Promise<string[]> {
  const report = ({ done, total }: { done: number; total: number }) =>
    onProgress({ step: "fetch packages", done, total });
  const cached = await fetchTarballs(plan.packages, { cache, offline, npm, signal, onProgress: report });
  const paths: string[] = [];
  for (const { integrity, name, version } of plan.packages) {
    const path = toCachePath(join(to, vendorNames.cache), integrity, name);
    await putVerified(
      path,
      readChunks(cached.get(integrity) as string),
      toIntegrityJudge(integrity, `${name}@${version}`),
    );
    paths.push(path);
  }
  return paths;
}

function toIntegrityJudge(integrity: string, subject: string): Judge {
  return ({ sha512 }) => {
    const got = `sha512-${sha512}`;
    return integrity.split(/\s+/).includes(got)
      ? undefined
      : vendorError("vendor.cache-digest", { subject, expected: integrity, got });
  };
}

async function putArchives({ fleet }: VendorPlan, request: FillRequest) {
  const done = [];
  for (const [name, archive] of Object.entries(fleet?.archives ?? {})) {
    const path = toArchivePath(request.to, archive.sha256);
    const file = request.given.get(name);
    const { offline, npm, signal } = request;
    const leftOut = request.without.includes(name);
    const from = leftOut
      ? ("left out" as const)
      : await fetchArchive({
          name,
          archive,
          path,
          offline,
          npm,
          signal,
          ...(file === undefined ? {} : { file }),
        });
    done.push({ name, version: archive.version, from, path });
  }
  return done;
}

/** Unpacked from the pinned archive, never taken from this machine. */
async function putNode(source: InterpreterSource, { to }: FillRequest): Promise<void> {
  const { integrity, name, version } = source.package;
  const scratch = await mkdtemp(join(tmpdir(), "sealpack-node-"));
  try {
    const file = toCachePath(join(to, vendorNames.cache), integrity, name);
    await unpackTarball({
      file,
      integrity,
      destination: join(scratch, "package"),
      label: `${name}@${version}`,
    });
    const judge: Judge = ({ sha256 }) => {
      const expected = source.sha256 ?? sha256;
      return sha256 === expected
        ? undefined
        : vendorError("vendor.cache-digest", { subject: source.file, expected, got: sha256 });
    };
    await putVerified(
      join(to, vendorNames.node),
      readChunks(join(scratch, "package", source.file)),
      judge,
      0o755,
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** @throws vendor.tool-stale where a vendored program is not what the sources give */
export async function verifyPrograms(
  to: string,
  { writeTool, writeRunnerd }: VendoredPrograms,
): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "sealpack-tool-"));
  try {
    await writeTool(join(scratch, vendorNames.tool));
    await writeRunnerd(join(scratch, vendorNames.runnerd));
    for (const name of [vendorNames.tool, vendorNames.runnerd]) {
      const [fresh, vendored] = await Promise.all([
        readIfThere(join(scratch, name)),
        readIfThere(join(to, name)),
      ]);
      if (fresh.equals(vendored)) continue;
      const expected = "the bundle of the sources and the commit that are built";
      throw vendorError("vendor.tool-stale", {
        subject: join(to, name),
        expected,
        got: vendored.length === 0 ? "nothing" : "other bytes",
      });
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function readIfThere(path: string): Promise<Buffer> {
  return await readFile(path).catch(() => Buffer.alloc(0));
}
