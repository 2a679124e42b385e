import { type ContractRow, failedRow, okRow, type RowHead, unknownRow } from "./contract-row.ts";
import type { HostNeeds } from "./host-needs.ts";
import { toHostRows } from "./host-rows.ts";
import type { SandboxShell } from "./preferred-shell.ts";
import { type CommandFacts, type DirectoryName, directoryNames, type ProbeFacts } from "./probe-facts.ts";

export interface ContractQuestion {
  readonly shell: SandboxShell;
  readonly workspaceNamed: boolean;
  readonly needs?: HostNeeds;
}

/** The contract's rows in the order of S1 to S7, host needs last. Pure: facts in, judgement out. */
export function toContractRows(facts: ProbeFacts, question: ContractQuestion): readonly ContractRow[] {
  return [
    ...facts.commands.flatMap((command) => toCommandRows(command, facts)),
    toPathRow(facts),
    toShRow(facts),
    ...(question.shell === "bash" ? [toShellRow(facts, question.shell)] : []),
    toTarRow(facts),
    ...directoryNames.flatMap((name) => toDirectoryRows(name, facts, question)),
    toHashRow(facts),
    toUserRow(facts),
    ...(question.needs === undefined ? [] : toHostRows(facts.host, question.needs)),
  ];
}

function toCommandRows(command: CommandFacts, facts: ProbeFacts): ContractRow[] {
  const head: RowHead = { id: `command:${command.name}`, rule: "S1", level: "required" };
  const { answer, name, all } = command;
  if (answer === "") {
    return [
      failedRow(
        head,
        "sandbox.command-missing",
        `${name} is not on PATH (${facts.path || "which is empty"})`,
      ),
    ];
  }
  if (!answer.startsWith("/") || !command.isFile) {
    return [failedRow(head, "sandbox.command-not-path", `command -v ${name} answers: ${answer}`)];
  }
  const row = name === "node" ? toNodeRow(head, answer, facts.nodeVersion) : okRow(head, answer);
  const others = all.filter((path) => path !== answer);
  if (others.length === 0) return [row];
  const shadowed: RowHead = { id: `shadowed:${name}`, rule: "S1", level: "advisory" };
  return [
    row,
    failedRow(shadowed, "sandbox.command-shadowed", `${answer} stands before ${others.join(", ")}`),
  ];
}

function toNodeRow(head: RowHead, path: string, version: string): ContractRow {
  if (/^v[0-9]{1,3}\.[0-9]{1,4}\.[0-9]{1,4}(-[A-Za-z0-9.]+)?$/.test(version))
    return okRow(head, `${path} ${version}`);
  return failedRow(head, "sandbox.node-broken", `${path} --version prints: ${version || "nothing"}`);
}

function toPathRow(facts: ProbeFacts): ContractRow {
  const head: RowHead = { id: "path", rule: "S6", level: "advisory" };
  const entries = facts.path.split(":");
  const relative = entries.filter((entry) => !entry.startsWith("/"));
  if (relative.length === 0) return okRow(head, facts.path);
  const shown = relative.map((entry) => (entry === "" ? "an empty entry" : entry)).join(", ");
  return failedRow(head, "sandbox.relative-path-entry", `PATH has ${shown}: ${facts.path}`);
}

function toShRow(facts: ProbeFacts): ContractRow {
  const head: RowHead = { id: "sh", rule: "S2", level: "required" };
  return facts.sh.startsWith("/")
    ? okRow(head, facts.sh)
    : failedRow(head, "sandbox.no-shell", "sh is not on PATH");
}

function toShellRow(facts: ProbeFacts, shell: SandboxShell): ContractRow {
  const head: RowHead = { id: `shell:${shell}`, rule: "S3", level: "required" };
  if (facts.shell.startsWith("/")) return okRow(head, facts.shell);
  return failedRow(head, "sandbox.no-shell", `${shell} is not on PATH`);
}

function toTarRow(facts: ProbeFacts): ContractRow {
  const head: RowHead = { id: "tar", rule: "S2", level: "required" };
  const { answer, state } = facts.tar;
  if (answer === "") return failedRow(head, "sandbox.no-tar", "tar is not on PATH");
  if (!answer.startsWith("/"))
    return failedRow(head, "sandbox.command-not-path", `command -v tar answers: ${answer}`);
  if (state === "broken" || state === "missing")
    return failedRow(head, "sandbox.tar-broken", `${answer} does not work`);
  return state === "ok"
    ? okRow(head, answer)
    : unknownRow(head, `${answer} was not tried: no writable directory`);
}

function toDirectoryRows(name: DirectoryName, facts: ProbeFacts, question: ContractQuestion): ContractRow[] {
  const level = name === "workspace" && !question.workspaceNamed ? "advisory" : "required";
  const head: RowHead = { id: `dir:${name}`, rule: "S2", level };
  const { path, tested, state, exec } = facts.directories[name];
  const place = tested === path ? path : `${path} (absent; tried in ${tested})`;
  if (state === "no-rm")
    return [unknownRow(head, `${place}: no rm to take the test file away with, so none was written`)];
  if (state === "unset" && name === "home")
    return [failedRow(head, "sandbox.no-home", `HOME is ${path || "not set"}`)];
  if (state === "unset")
    return [failedRow(head, "sandbox.not-writable", `${name}: no absolute path (${path || "not set"})`)];
  if (state !== "ok") return [failedRow(head, "sandbox.not-writable", `${place}: ${state}`)];
  return [okRow(head, place), toExecRow(name, place, exec)];
}

function toExecRow(name: DirectoryName, place: string, exec: "yes" | "no" | "unknown"): ContractRow {
  const head: RowHead = { id: `exec:${name}`, rule: "S2", level: "advisory" };
  if (exec === "yes") return okRow(head, `${place} allows execution`);
  if (exec === "no") return failedRow(head, "sandbox.no-exec", `${place} does not allow execution`);
  return unknownRow(head, `${place}: execution was not tried`);
}

function toHashRow(facts: ProbeFacts): ContractRow {
  const head: RowHead = { id: "hash", rule: "A1", level: "required" };
  if (facts.hashTool !== "") return okRow(head, facts.hashTool);
  return failedRow(head, "sandbox.no-hash-tool", "none of openssl, sha256sum, busybox, shasum works");
}

function toUserRow(facts: ProbeFacts): ContractRow {
  const head: RowHead = { id: "user", rule: "A4", level: "advisory" };
  const { id, name, umask, root } = facts.user;
  const who = `${name || "unnamed"} (${id ?? "unknown id"}), umask ${umask}`;
  if (root === "no") return okRow(head, `${who}, no way to root found`);
  if (root === "unknown") return unknownRow(head, who);
  return failedRow(
    head,
    "sandbox.can-become-root",
    root === "root" ? `${who} is root` : `${who} can become root: ${root}`,
  );
}
