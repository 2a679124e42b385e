import { readFileSync } from "node:fs";
import { type Pack, readPack, verifyProgram } from "../bridges/pack-commands.ts";
import { verifyPack } from "../manifest/verify-pack.ts";
import { isNetworkCut } from "../pack/exercise/network-cut.ts";
import { qualifyError } from "./errors.ts";
import type { SubjectName } from "./parse-subjects.ts";
import { qualifyAcp } from "./qualify-acp.ts";
import { qualifyAcpx } from "./qualify-acpx.ts";
import { qualifyOpencode } from "./qualify-opencode.ts";
import { type CapabilityReport, type CheckReport, type SubjectReport, toDigests } from "./report.ts";
import { claudeSubject, codexSubject, proxySubject } from "./subjects.ts";

export interface QualifyRequest {
  /** A sealed pack's real path. */
  readonly root: string;
  readonly subjects: readonly SubjectName[];
  /** Another OpenCode executable, for its own subject (PAPERCLIP_TEST_OPENCODE_BINARY). */
  readonly opencode?: string;
  /** Milliseconds that one step of one check may take. */
  readonly time: number;
  readonly onCheck: (subject: string, check: CheckReport) => void;
}

/**
 * Runs a pack's executables for real, each in a home of its own, against mock providers on loopback. The whole pack is
 * compared with its manifest first.
 * @throws `qualify.pack-differs`, `qualify.subject-missing`, `manifest.*`
 */
export async function qualifyPack(request: QualifyRequest): Promise<CapabilityReport> {
  const pack = readPack(request.root);
  await assertSound(pack);
  const subjects: SubjectReport[] = [];
  for (const name of request.subjects) subjects.push(...(await qualifySubject(name, pack, request)));
  return toCapabilityReport(subjects, pack);
}

export function toCapabilityReport(
  subjects: readonly SubjectReport[],
  pack: Pack | undefined,
): CapabilityReport {
  return {
    schema: "sealpack/capability-report/v1",
    ok: subjects.every(({ ok }) => ok),
    pack: pack === undefined ? null : toPackFacts(pack),
    network: isNetworkCut(readNetworkTables()) ? "loopback" : "open",
    spentUsd: 0,
    subjects,
  };
}

async function qualifySubject(
  name: SubjectName,
  pack: Pack,
  request: QualifyRequest,
): Promise<readonly SubjectReport[]> {
  const { time } = request;
  const common = (subject: string) => ({
    time,
    onCheck: (check: CheckReport) => request.onCheck(subject, check),
  });
  if (name === "opencode") {
    const direct = await qualifyOpencode({ ...toOpencode(pack, request.opencode), ...common("opencode") });
    return [direct, await qualifyAcp(proxySubject(pack, common("opencode-proxy")))];
  }
  const claude = (subject: string) => claudeSubject(pack, common(subject));
  const codex = (subject: string) => codexSubject(pack, common(subject));
  if (name === "claude-agent-acp") return [await qualifyAcp(claude(name))];
  if (name === "codex-acp") return [await qualifyAcp(codex(name))];
  const hosted = await qualifyAcpx(pack, "claude", claude("acpx claude"));
  return [hosted, await qualifyAcpx(pack, "codex", codex("acpx codex"))];
}

function toOpencode(pack: Pack, other: string | undefined) {
  const command = pack.manifest.payload.commands.opencode;
  if (command === undefined) {
    throw qualifyError("qualify.subject-missing", {
      subject: pack.root,
      expected: "opencode",
      got: "no such command",
    });
  }
  const [launcher] = verifyProgram(pack, "opencode");
  const digests = other === undefined ? toDigests(command) : {};
  return { executable: other ?? launcher, version: command.version, digests };
}

async function assertSound(pack: Pack): Promise<void> {
  const { findings } = await verifyPack(pack.root, { manifest: pack.manifest });
  const [first] = findings;
  if (first === undefined) return;
  const got = `${first.code} at ${first.path}, ${findings.length} findings`;
  throw qualifyError("qualify.pack-differs", { subject: pack.root, expected: "a sound pack", got });
}

function toPackFacts({ manifest }: Pack): CapabilityReport["pack"] {
  const { name, target, sourceRevision } = manifest.payload;
  return { name, target, manifest: manifest.digest, sourceRevision };
}

function readNetworkTables() {
  const read = (name: string): string => {
    try {
      return readFileSync(`/proc/net/${name}`, "latin1");
    } catch {
      return "";
    }
  };
  return { dev: read("dev"), route: read("route"), ipv6Route: read("ipv6_route") };
}
