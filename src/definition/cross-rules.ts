import lt from "semver/functions/lt.js";
import valid from "semver/functions/valid.js";
import { minimumUndici } from "./minimums.ts";
import { isReservedPath } from "./pack-path.ts";
import type { PackDocument } from "./pack-schema.ts";
import { type Problem, toShown } from "./problem.ts";

/** What one key of a definition demands of another. Each rule is pure and has its row in the tests. */
export type CrossRule = (document: PackDocument) => Problem[];

export const commandKindRule: CrossRule = ({ commands }) =>
  Object.entries(commands).flatMap(([name, { executable, entry }]) => {
    if ((executable === undefined) !== (entry === undefined)) return [];
    const got = entry === undefined ? "neither" : "both";
    return [problem("definition.command-kind", ["commands", name], "an executable or an entry", got)];
  });

export const interpreterRule: CrossRule = ({ commands, compiled, interpreter }) => {
  const entry = Object.keys(commands).find((name) => commands[name]?.entry !== undefined);
  if (entry !== undefined && interpreter === undefined) {
    const path = ["commands", entry, "entry"];
    return [problem("definition.interpreter-missing", path, "a declared interpreter", "none")];
  }
  if (entry === undefined && interpreter !== undefined && compiled === undefined) {
    return [problem("definition.interpreter-unused", ["interpreter"], "a command with an entry", "none")];
  }
  return [];
};

export const interpreterVersionRule: CrossRule = ({ interpreter }) => {
  if (interpreter === undefined) return [];
  const { version, minimum, undici } = interpreter;
  const found: Problem[] = [];
  if (isBelow(version, minimum)) {
    const path = ["interpreter", "version"];
    found.push(problem("definition.interpreter-too-old", path, `at least ${minimum}`, version));
  }
  if (isBelow(undici, minimumUndici)) {
    const path = ["interpreter", "undici"];
    found.push(problem("definition.undici-too-old", path, `at least ${minimumUndici}`, undici));
  }
  return found;
};

export const targetRule: CrossRule = ({ targets, commands, cpu }) => {
  const declared = (target: string) => (targets as readonly string[]).includes(target);
  const used = [
    ...Object.entries(commands).flatMap(([name, { executable }]) =>
      Object.keys(executable ?? {}).map((target) => ["commands", name, "executable", target]),
    ),
    ...Object.keys(cpu ?? {}).map((target) => ["cpu", target]),
  ];
  const undeclared = used
    .filter((path) => !declared(path.at(-1) as string))
    .map((path) => keyProblem("definition.undeclared-target", path, targets.join(", "), String(path.at(-1))));
  return [...undeclared, ...repeated(targets, ["targets"])];
};

/** A target whose executable is missing is only sound where a package without a release explains it (B13). */
export const executableRule: CrossRule = ({ targets, commands, absent }) =>
  Object.entries(commands).flatMap(([name, { executable }]) => {
    if (executable === undefined) return [];
    return targets
      .filter((target) => executable[target] === undefined)
      .filter((target) => !(absent ?? []).some((row) => row.target === target))
      .map((target) => {
        const path = ["commands", name, "executable"];
        return problem("definition.executable-missing", path, `an executable for ${target}`, "none");
      });
  });

export const placeRule: CrossRule = ({ place, lock }) => {
  const rows = place ?? [];
  const paths = rows.flatMap(({ from, to }, index) => [
    { path: ["place", index, "from"], value: from },
    { path: ["place", index, "to"], value: to },
  ]);
  const collisions = paths
    .filter(({ value }, index) => paths.findIndex((other) => other.value === value) < index)
    .map(({ path, value }) => problem("definition.place-collision", path, "each file once", value));
  const reserved = rows
    .map(({ to }, index) => ({ path: ["place", index, "to"], to }))
    .filter(({ to }) => isReservedPath(to, lock.path))
    .map(({ path, to }) =>
      problem("definition.reserved-path", path, "a path that sealpack does not write", to),
    );
  return [...collisions, ...reserved];
};

/** The lock keeps its path in the pack, where sealpack writes files of its own. */
export const lockPathRule: CrossRule = ({ lock }) =>
  isReservedPath(lock.path, "")
    ? [
        problem(
          "definition.reserved-path",
          ["lock", "path"],
          "a path that sealpack does not write",
          lock.path,
        ),
      ]
    : [];

/** Command names become files in node_modules/.bin, where two that differ by case are one on some file systems. */
export const collisionRule: CrossRule = ({ commands }) => {
  const names = Object.keys(commands);
  const folded = names.map((name) => name.toLowerCase());
  return names
    .filter((name, index) => folded.indexOf(name.toLowerCase()) < index)
    .map((name) => keyProblem("definition.name-collision", ["commands", name], "names that differ", name));
};

/** Compiled bridges and package bridges are one map in the manifest, and compiled ones are files of their own. */
export const compiledRule: CrossRule = ({ bridges, compiled, interpreter }) => {
  const entries = Object.entries(compiled ?? {});
  const paths = entries.map(([, { path }]) => path.toLowerCase());
  const both = entries.filter(([name], index) => {
    return Object.hasOwn(bridges ?? {}, name) || paths.indexOf(paths[index] as string) < index;
  });
  const missing = interpreter === undefined ? entries.slice(0, 1) : [];
  return [
    ...both.map(([name]) =>
      keyProblem("definition.name-collision", ["compiled", name], "names that differ", name),
    ),
    ...missing.map(([name]) =>
      problem("definition.interpreter-missing", ["compiled", name], "a declared interpreter", "none"),
    ),
  ];
};

export const installScriptRule: CrossRule = ({ installScripts }) =>
  (installScripts ?? []).flatMap(({ file, sha256 }, index) => {
    if ((file === undefined) === (sha256 === undefined)) return [];
    const missing = file === undefined ? "file" : "sha256";
    return [
      problem("definition.missing-key", ["installScripts", index, missing], "file and sha256", "one of them"),
    ];
  });

export const absentRule: CrossRule = ({ absent }) =>
  repeated(
    (absent ?? []).map((row) => row.package),
    ["absent"],
  );

export const crossRules: readonly CrossRule[] = [
  commandKindRule,
  interpreterRule,
  interpreterVersionRule,
  targetRule,
  executableRule,
  lockPathRule,
  placeRule,
  collisionRule,
  compiledRule,
  installScriptRule,
  absentRule,
];

function repeated(values: readonly string[], path: readonly string[]): Problem[] {
  return values
    .map((value, index) => ({ value, index }))
    .filter(({ value, index }) => values.indexOf(value) < index)
    .map(({ value, index }) => problem("definition.wrong-value", [...path, index], "each once", value));
}

/** A version that is none has its own problem. */
function isBelow(version: string, minimum: string): boolean {
  return valid(version) !== null && valid(minimum) !== null && lt(version, minimum);
}

function problem(code: Problem["code"], path: Problem["path"], expected: string, got: string): Problem {
  return { code, path, expected, got: toShown(got).replace(/^"(none|neither|both|one of them)"$/, "$1") };
}

function keyProblem(code: Problem["code"], path: Problem["path"], expected: string, got: string): Problem {
  return { ...problem(code, path, expected, got), atKey: true };
}
