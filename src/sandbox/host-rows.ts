import {
  type ContractRow,
  failedRow,
  okRow,
  type RowHead,
  type SandboxCode,
  unknownRow,
} from "./contract-row.ts";
import type { HostNeeds } from "./host-needs.ts";
import type { HostFacts } from "./probe-facts.ts";

const unames: Readonly<Record<string, string>> = {
  "linux-x64": "Linux x86_64",
  "linux-arm64": "Linux aarch64",
  "darwin-x64": "Darwin x86_64",
  "darwin-arm64": "Darwin arm64",
};

/** Host needs of a pack against what the host has. The facts' lists are in the needs' order. */
export function toHostRows(host: HostFacts, needs: HostNeeds): ContractRow[] {
  return [
    toPlatformRow(host, needs),
    ...needs.elfInterpreters.map((path, index) =>
      toPresence(`elf:${path}`, "sandbox.no-elf-interpreter", path, host.elfInterpreters[index] === true),
    ),
    ...toVersionRow("glibc", "sandbox.old-glibc", host.glibc, needs.glibc),
    ...toVersionRow("glibcxx", "sandbox.old-libstdcxx", host.glibcxx, needs.glibcxx),
    ...needs.libraries.map((name, index) =>
      toPresence(`lib:${name}`, "sandbox.missing-library", name, host.libraries[index] === true),
    ),
    ...needs.cpu.map((flag, index) => toCpuRow(flag, host.cpu[index] ?? "unknown")),
    toSpaceRow(host, needs),
  ];
}

function toHead(id: string): RowHead {
  return { id, rule: "B9", level: "required" };
}

function toPlatformRow(host: HostFacts, needs: HostNeeds): ContractRow {
  const target = `${needs.platform}-${needs.architecture}`;
  if (host.uname === "") return unknownRow(toHead("platform"), "no uname");
  if (host.uname === unames[target]) return okRow(toHead("platform"), host.uname);
  return failedRow(
    toHead("platform"),
    "sandbox.wrong-platform",
    `${host.uname}, and the pack is for ${target}`,
  );
}

function toPresence(id: string, code: SandboxCode, subject: string, present: boolean): ContractRow {
  return present ? okRow(toHead(id), subject) : failedRow(toHead(id), code, `${subject} is not there`);
}

function toVersionRow(id: string, code: SandboxCode, found: string, needed: string): ContractRow[] {
  if (needed === "") return [];
  if (found === "" && id === "glibc")
    return [unknownRow(toHead(id), "the glibc's version could not be told")];
  if (found === "")
    return [failedRow(toHead(id), code, `no libstdc++.so.6 with versions; ${needed} is needed`)];
  const fact = `${found}, and ${needed} is needed`;
  return [isAtLeast(found, needed) ? okRow(toHead(id), fact) : failedRow(toHead(id), code, fact)];
}

/** Compares dotted numbers part by part: 2.9 is older than 2.36. */
export function isAtLeast(found: string, needed: string): boolean {
  const [left, right] = [found.split(".").map(Number), needed.split(".").map(Number)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function toCpuRow(flag: string, has: "yes" | "no" | "unknown"): ContractRow {
  const head = toHead(`cpu:${flag}`);
  if (has === "unknown") return unknownRow(head, "the processor's features could not be told");
  return has === "yes" ? okRow(head, flag) : failedRow(head, "sandbox.missing-cpu-feature", `no ${flag}`);
}

function toSpaceRow(host: HostFacts, needs: HostNeeds): ContractRow {
  const head: RowHead = { id: "space", rule: "A1", level: "advisory" };
  if (host.freeBytes === null) return unknownRow(head, "free space in the home directory could not be told");
  const fact = `${toMebibytes(host.freeBytes)} MiB free in the home directory, a copy of the pack takes ${toMebibytes(needs.bytes)}`;
  return host.freeBytes >= needs.bytes ? okRow(head, fact) : failedRow(head, "sandbox.no-space", fact);
}

function toMebibytes(bytes: number): number {
  return Math.ceil(bytes / 1_048_576);
}
