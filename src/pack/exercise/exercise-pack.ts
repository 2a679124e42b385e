import { lstatSync, realpathSync, renameSync } from "node:fs";
import type {
  CommandDefinition,
  InterpreterDefinition,
  PackDefinition,
} from "../../definition/pack-definition.ts";
import type { Target } from "../../definition/target.ts";
import { comparePaths } from "../../tree/path-order.ts";
import { canRunHere } from "./can-run-here.ts";
import { chooseEnclosure } from "./choose-enclosure.ts";
import type { EncloseOptions } from "./enclosed.ts";
import type { Enclosure } from "./enclosure.ts";
import { exerciseError } from "./errors.ts";
import { mapAtOnce } from "./map-at-once.ts";
import { runEnclosed } from "./run-enclosed.ts";
import { type AcpOutcome, verifyAcp } from "./verify-acp.ts";
import { verifyInterpreter } from "./verify-interpreter.ts";

export interface ExerciseOptions {
  /** The assembled tree. */
  readonly root: string;
  /** Where the tree goes first, on the same device: a build path left inside it shows. Stays there, also on failure. */
  readonly movedTo?: string;
  readonly target: Target;
  readonly commands: PackDefinition["commands"];
  readonly interpreter?: InterpreterDefinition | undefined;
  /** Run with this machine's network where it cannot be cut, rather than not at all. */
  readonly allowNetwork: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: ExerciseProgress) => void;
}

export interface ExerciseProgress {
  readonly command: string;
  readonly check: "interpreter" | "version" | "acp";
}

export interface ExerciseReport {
  /** Where the tree is now. */
  readonly root: string;
  /** `cut`: in a namespace without one; `absent`: the machine has none; `allowed`: neither cut nor looked at, by --allow-network. */
  readonly network: "cut" | "absent" | "allowed";
  /** Whether a command could not write to the tree; where false, only comparing listings shows what it did. */
  readonly readOnly: boolean;
  /** Whether the kernel ended whatever a command started, however it hid. */
  readonly processesContained: boolean;
  /** By command, in the order of their names. `acp` only for ACP commands. */
  readonly commands: Readonly<Record<string, CommandOutcome>>;
}

export interface CommandOutcome {
  readonly version: string;
  readonly acp?: AcpOutcome;
}

/**
 * Runs what a pack declares from another place than where it was assembled, as another user, without a network: a gate
 * (design 5, B7, B8, Q2). The caller compares listings before and after.
 * @throws an `exercise.*` error
 */
export async function exercisePack(options: ExerciseOptions): Promise<ExerciseReport> {
  assertRunsHere(options.target);
  const root = move(options.root, options.movedTo);
  const enclosure = await chooseEnclosure({ ...options, root });
  const shared = { enclosure, root, allowNetwork: options.allowNetwork, signal: options.signal };
  if (options.interpreter !== undefined) {
    options.onProgress?.({ command: options.interpreter.path, check: "interpreter" });
    await verifyInterpreter(options.interpreter, shared);
  }
  const names = Object.keys(options.commands).sort(comparePaths);
  const outcomes = await mapAtOnce(names, atOnce, (name) =>
    exerciseCommand(name, options.commands[name] as CommandDefinition, shared, options.onProgress),
  );
  const commands = Object.fromEntries(names.map((name, index) => [name, outcomes[index] as CommandOutcome]));
  return { root, ...describe(enclosure, options.allowNetwork), commands };
}

/** Most of the time is spent waiting for bridges to end: a few at once, whatever the machine has. */
const atOnce = 3;

type Shared = Omit<EncloseOptions, "argv" | "environment">;

async function exerciseCommand(
  name: string,
  command: CommandDefinition,
  shared: Shared,
  onProgress: ExerciseOptions["onProgress"],
): Promise<CommandOutcome> {
  const launcher = `{pack}/node_modules/.bin/${name}`;
  onProgress?.({ command: name, check: "version" });
  const argv = [launcher, ...command.versionArgs];
  const version = (await runEnclosed(name, { ...shared, argv, environment: "home" })).trim();
  if (version !== command.version) {
    const facts = { subject: name, expected: JSON.stringify(command.version), got: toShown(version) };
    throw exerciseError("exercise.wrong-version", facts);
  }
  if (!command.acp) return { version };
  onProgress?.({ command: name, check: "acp" });
  return { version, acp: await verifyAcp(name, { ...shared, argv: [launcher], environment: "home" }) };
}

function assertRunsHere(target: Target): void {
  if (canRunHere(target)) return;
  const facts = {
    subject: target.id,
    expected: "a target of this machine",
    got: `${process.platform}-${process.arch}`,
  };
  throw exerciseError("exercise.foreign-target", facts);
}

/** The old path must be gone: what still finds its files there would not find them in a sandbox. */
function move(root: string, movedTo: string | undefined): string {
  if (movedTo === undefined) return realpathSync(root);
  try {
    renameSync(root, movedTo);
  } catch (cause) {
    const facts = { subject: root, expected: `to be renamed to ${movedTo}`, got: String(cause), cause };
    throw exerciseError("exercise.cannot-move", facts);
  }
  if (lstatSync(root, { throwIfNoEntry: false }) !== undefined) {
    const facts = { subject: root, expected: "nothing after the rename", got: "something else at this path" };
    throw exerciseError("exercise.cannot-move", facts);
  }
  return realpathSync(movedTo);
}

function describe({ kind }: Enclosure, allowNetwork: boolean) {
  const direct = kind === "direct";
  const network = direct ? (allowNetwork ? "allowed" : "absent") : "cut";
  return { network, readOnly: !direct, processesContained: kind === "namespaces" } as const;
}

function toShown(output: string): string {
  return output.length > 300 ? `${JSON.stringify(output.slice(0, 300))}…` : JSON.stringify(output);
}
