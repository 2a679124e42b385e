import type { BuildResult } from "../pack/build-pack.ts";
import { toComponentSizes } from "../pack/component-sizes.ts";
import { formatBytes, formatSeconds, formatTable } from "./format.ts";
import type { Io } from "./io.ts";

const largest = 8;

interface PrintOptions {
  readonly json: boolean;
  readonly milliseconds: number;
  readonly io: Io;
}

/** The summary of a build: what is in the pack, what was left out, its digests, and the time it took. */
export function printBuild(result: BuildResult, { json, milliseconds, io }: PrintOptions): void {
  const notes = result.repaired ? ["an interrupted build's old pack was put back first"] : [];
  if (json) io.stdout(`${JSON.stringify(toDocument(result, [...notes, ...result.plan.notes]), null, 2)}\n`);
  else io.stdout(toSummary(result, notes, milliseconds));
}

function toDocument(result: BuildResult, notes: readonly string[]) {
  const { manifest, out, source, omitted, exercised } = result;
  return {
    out,
    digest: manifest.digest,
    treeDigest: manifest.payload.tree.digest,
    release: manifest.payload.release,
    reasons: [...source.reasons, ...(exercised ? [] : ["not exercised"])],
    exercised,
    omitted,
    notes,
    manifest,
  };
}

function toSummary(result: BuildResult, notes: readonly string[], milliseconds: number): string {
  const { manifest, listing, out } = result;
  const { payload } = manifest;
  const { platform, architecture, libc } = payload.target;
  return [
    `${payload.name} for ${platform}-${architecture} (${libc}) in ${out}\n`,
    "\nCommands\n",
    formatTable(Object.entries(payload.commands).map(([name, command]) => [name, command.version])),
    `\nComponents: ${Object.keys(payload.components).length}, the largest\n`,
    formatTable(toLargest(result)),
    "\nLeft out\n",
    formatTable(result.omitted.map((one) => [one.pattern, `${one.files} files`, formatBytes(one.bytes)])),
    toNotes(result, notes),
    "\nSealed\n",
    formatTable(toSealRows(result)),
    `\n${listing.entries.length} entries, ${formatBytes(listing.bytes)}, in ${formatSeconds(milliseconds)}\n`,
  ].join("");
}

/** What other targets lack is told in full by `lock check`; here it is one line. */
function toNotes(result: BuildResult, notes: readonly string[]): string {
  const absent = result.plan.notes.length;
  const others = absent === 0 ? [] : [`${absent} optional packages of other targets have no release`];
  return [...notes, ...others].map((note) => `  note: ${note}\n`).join("");
}

function toLargest(result: BuildResult): string[][] {
  const sizes = toComponentSizes(
    result.listing,
    Object.keys(result.manifest.payload.components),
    result.placed,
  );
  const rows = [...sizes].sort((a, b) => b[1] - a[1]).slice(0, largest);
  return rows.map(([location, bytes]) => {
    const component = result.manifest.payload.components[location];
    return [location, component?.version ?? "", formatBytes(bytes)];
  });
}

function toSealRows(result: BuildResult): string[][] {
  const { digest, payload } = result.manifest;
  const reasons = [...result.source.reasons, ...(result.exercised ? [] : ["not exercised"])];
  return [
    ["manifest", digest],
    ["tree", `sha256:${payload.tree.digest}`],
    ["lock", `sha256:${payload.lock.sha256}`],
    ["revision", payload.sourceRevision],
    ["release", payload.release ? "yes" : `no: ${reasons.join("; ")}`],
  ];
}
