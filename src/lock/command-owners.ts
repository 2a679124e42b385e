import type { CommandDefinition, PackDefinition } from "../definition/pack-definition.ts";
import type { TargetId } from "../definition/target.ts";
import { toTargetPath } from "../definition/target-path.ts";
import type { LockEntry } from "./entry.ts";
import type { LockProblem } from "./problem.ts";

/** A file that the definition names for a target, where its package brings it (before `place`). */
interface NamedFile {
  readonly key: string;
  readonly path: string;
}

/** Every file that the definition names lies in a package that the target gets: found out before anything is fetched. */
export function toUnownedProblems(
  definition: PackDefinition,
  target: TargetId,
  locations: ReadonlySet<string>,
): LockProblem[] {
  return toNamedFiles(definition, target)
    .filter(({ path }) => toOwner(path, locations) === undefined)
    .map(({ key, path }) => ({
      code: "lock.file-unowned",
      subject: key,
      expected: `a file in a package of ${target}`,
      got: path,
    }));
}

/**
 * npm links one of two packages that claim a command and says nothing. Ours come from the definition: it decides when its
 * file lies in one of the two, and otherwise somebody has to look. Only top-level packages are linked by npm.
 */
export function toClaimProblems(
  definition: PackDefinition,
  target: TargetId,
  entries: readonly LockEntry[],
): LockProblem[] {
  const top = entries.filter(({ location }) => location.lastIndexOf("node_modules/") === 0);
  return Object.entries(definition.commands).flatMap(([name, command]): LockProblem[] => {
    const claimers = top.filter((entry) => entry.commands.includes(name)).map((entry) => entry.location);
    const path = toCommandPath(command, target);
    const owner = path && toOwner(toPlacedFrom(definition, target, path), new Set(claimers));
    if (claimers.length < 2 || owner !== undefined) return [];
    const got = claimers.join(" and ");
    return [
      { code: "lock.command-claimed-twice", subject: name, expected: "one package that claims it", got },
    ];
  });
}

function toNamedFiles(definition: PackDefinition, target: TargetId): NamedFile[] {
  const commands = Object.entries(definition.commands).flatMap(([name, command]) => {
    const path = toCommandPath(command, target);
    return path === undefined ? [] : [{ key: `commands.${name}`, path }];
  });
  const interpreter = definition.interpreter?.path;
  const own = interpreter === undefined ? [] : [{ key: "interpreter.path", path: interpreter }];
  const placed = definition.place.map(({ from }, index) => ({
    key: `place[${index}].from`,
    path: toTargetPath(from, target),
  }));
  return [...commands, ...own, ...placed].map(({ key, path }) => ({
    key,
    path: toPlacedFrom(definition, target, path),
  }));
}

function toCommandPath(command: CommandDefinition, target: TargetId): string | undefined {
  return command.kind === "entry" ? command.entry : command.executable[target]?.path;
}

function toPlacedFrom(definition: PackDefinition, target: TargetId, path: string): string {
  const row = definition.place.find(({ to }) => toTargetPath(to, target) === path);
  return row === undefined ? path : toTargetPath(row.from, target);
}

/** The deepest location that holds the path. */
function toOwner(path: string, locations: ReadonlySet<string>): string | undefined {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (locations.has(path.slice(0, at))) return path.slice(0, at);
  }
  return undefined;
}
