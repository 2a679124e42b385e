import type { TargetId } from "./target.ts";

/** A parsed `pack.yaml` (schema `sealpack/pack/v1`). Everything a pack is, apart from its lock. */
export interface PackDefinition {
  readonly name: string;
  readonly lock: { readonly path: string; readonly sha256: string };
  readonly targets: readonly TargetId[];
  /** Origins that a lock's `resolved` may name besides npm's default, as `https://host[:port]`. */
  readonly origins: readonly string[];
  readonly interpreter?: InterpreterDefinition;
  readonly place: readonly PlaceDefinition[];
  readonly commands: Readonly<Record<string, CommandDefinition>>;
  readonly bridges: Readonly<Record<string, BridgeDefinition>>;
  readonly compiled: Readonly<Record<string, CompiledDefinition>>;
  readonly prerequisites: Readonly<Record<string, PrerequisiteDefinition>>;
  readonly installScripts: readonly InstallScriptDefinition[];
  readonly omit: readonly string[];
  readonly absent: readonly AbsentDefinition[];
  readonly patches: readonly PatchDefinition[];
  /** CPU features the executables need, by target: `{ linux-x64: [avx2] }`. */
  readonly cpu: Readonly<Partial<Record<TargetId, readonly string[]>>>;
}

export interface InterpreterDefinition {
  readonly path: string;
  readonly version: string;
  readonly minimum: string;
  readonly undici: string;
}

/** Moves a file inside the tree; `{target}` stands for the target's id. */
export interface PlaceDefinition {
  readonly from: string;
  readonly to: string;
  /** SHA-256 of the file that may stand at `to` and is replaced. Without it, `to` must be free. */
  readonly replaces?: string;
}

interface CommandBase {
  /** The line that `versionArgs` must print on stdout. */
  readonly version: string;
  /** Default `["--version"]`. */
  readonly versionArgs: readonly string[];
  /** Answers ACP `initialize` and `session/new` on stdio. */
  readonly acp: boolean;
  /** Set by the launcher; `{pack}` stands for the pack's root wherever it is. */
  readonly env: Readonly<Record<string, string>>;
}

/** A native command: one executable per target, by its path in the sealed pack. */
export interface ExecutableCommand extends CommandBase {
  readonly kind: "executable";
  readonly executable: Readonly<
    Partial<Record<TargetId, { readonly path: string; readonly sha256: string }>>
  >;
}

/** A JavaScript command: run by the pack's interpreter. */
export interface EntryCommand extends CommandBase {
  readonly kind: "entry";
  readonly entry: string;
}

export type CommandDefinition = ExecutableCommand | EntryCommand;

/** A bridge that is a package of the lock. `drives` names the one CLI package it must share with the pack. */
export interface BridgeDefinition {
  readonly package: string;
  readonly version: string;
  readonly drives?: string;
}

/** The programs of `src/bridges` that a pack may have compiled into one file each. */
export const compiledPrograms = ["opencode-proxy", "acpx-sidecar", "grok-launcher"] as const;

/** A bridge that sealpack compiles from its own sources and the pack's packages. Its version is a pin of its own (B3). */
export interface CompiledDefinition {
  readonly program: (typeof compiledPrograms)[number];
  readonly version: string;
  /** Where the one file stands in the pack. */
  readonly path: string;
}

/** An executable that the sandbox's owner provides and the pack only launches (requirement C4). */
export interface PrerequisiteDefinition {
  readonly version: string;
  /** Absolute, in the sandbox. */
  readonly path: string;
  readonly sha256: string;
}

/** Acknowledges an install script that never runs. `file` is hashed where the script is a file of the package. */
export interface InstallScriptDefinition {
  readonly package: string;
  /** The exact command of the script. */
  readonly run: string;
  readonly file?: string;
  readonly sha256?: string;
  /** What does its work instead: `nothing` (not needed), or `place`. */
  readonly replacedBy: "nothing" | "place";
}

/** An optional dependency that the lock does not hold: `name@version`, and the target it would have served. */
export interface AbsentDefinition {
  readonly package: string;
  readonly target: string;
}

/** A unified diff beside the definition, applied to a component after unpacking. */
export interface PatchDefinition {
  readonly file: string;
  readonly sha256: string;
  /** Lock location of the component. */
  readonly component: string;
}
