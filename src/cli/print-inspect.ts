import type { Manifest, Payload } from "../manifest/types.ts";
import { formatBytes, formatTable } from "./format.ts";

/** A pack on one screen and a bit: who it says it is, then commands, bridges, host needs, components by size. */
export function toInspectText(manifest: Manifest, sizes: ReadonlyMap<string, number>): string {
  const { payload } = manifest;
  return [
    formatTable(toHeadRows(manifest), ""),
    "\nCommands\n",
    formatTable(
      Object.entries(payload.commands).map(([name, one]) => [
        name,
        one.version,
        one.entry?.path ?? one.executable.path,
      ]),
    ),
    section(
      "Bridges",
      Object.entries(payload.bridges).map(([name, one]) => [name, one.version, one.path]),
    ),
    "\nHost needs\n",
    formatTable(toNeedRows(payload)),
    "\nComponents, by the files below their location\n",
    formatTable(toComponentRows(payload, sizes)),
  ].join("");
}

function section(title: string, rows: readonly string[][]): string {
  return rows.length === 0 ? "" : `\n${title}\n${formatTable(rows)}`;
}

function toHeadRows({ digest, payload }: Manifest): string[][] {
  const { platform, architecture, libc } = payload.target;
  return [
    ["pack", payload.name],
    ["target", `${platform}-${architecture} (${libc})`],
    ["manifest", digest],
    [
      "tree",
      `sha256:${payload.tree.digest}, ${payload.tree.entries} entries, ${formatBytes(payload.tree.bytes)}`,
    ],
    ["lock", `sha256:${payload.lock.sha256}`],
    ["revision", payload.sourceRevision],
    ["release", payload.release ? "yes" : "no"],
  ];
}

function toNeedRows({ requires }: Payload): string[][] {
  const orNone = (values: readonly string[]) => (values.length === 0 ? "none" : values.join(", "));
  return [
    ["ELF interpreter", orNone(requires.elfInterpreters)],
    ["libraries", orNone(requires.libraries)],
    ["glibc", requires.glibc === "" ? "none" : `at least ${requires.glibc}`],
    ["libstdc++", requires.glibcxx === "" ? "none" : `at least GLIBCXX_${requires.glibcxx}`],
    ["CPU", orNone(requires.cpu)],
  ];
}

function toComponentRows(payload: Payload, sizes: ReadonlyMap<string, number>): string[][] {
  const rows = Object.entries(payload.components).map(([location, one]) => ({
    location,
    one,
    size: sizes.get(location) ?? 0,
  }));
  return rows
    .sort((a, b) => b.size - a.size || (a.location < b.location ? -1 : 1))
    .map(({ location, one, size }) => [formatBytes(size), `${one.name}@${one.version}`, location]);
}
