import type { PackDocument } from "./pack-schema.ts";
import type { Problem } from "./problem.ts";
import {
  absentPackageRule,
  absolutePathRule,
  anyTargetRule,
  digestRule,
  distPathRule,
  environmentNameRule,
  environmentValueRule,
  lineRule,
  nameRule,
  omitRule,
  originRule,
  packageNameRule,
  pathRule,
  targetPathRule,
  type ValueRule,
  versionRule,
} from "./value-rules.ts";

type Path = Problem["path"];

/** Applies to each value of a document the rule of its key. */
export function toValueProblems(document: PackDocument): Problem[] {
  return [
    ...nameRule(document.name, ["name"]),
    ...fields(document.lock, ["lock"], { path: pathRule, sha256: digestRule }),
    ...each(document.origins, ["origins"], originRule),
    ...fields(document.interpreter, ["interpreter"], {
      path: pathRule,
      version: versionRule,
      minimum: versionRule,
      undici: versionRule,
    }),
    ...rows(document.place, ["place"], { from: targetPathRule, to: targetPathRule, replaces: digestRule }),
    ...commands(document.commands),
    ...bridges(document.bridges ?? {}),
    ...named(document.compiled, ["compiled"], { version: versionRule, path: distPathRule }),
    ...named(document.prerequisites, ["prerequisites"], {
      version: versionRule,
      path: absolutePathRule,
      sha256: digestRule,
    }),
    ...rows(document.installScripts, ["installScripts"], {
      package: packageNameRule,
      run: lineRule,
      file: pathRule,
      sha256: digestRule,
    }),
    ...each(document.omit, ["omit"], omitRule),
    ...rows(document.absent, ["absent"], { package: absentPackageRule, target: anyTargetRule }),
    ...rows(document.patches, ["patches"], { file: pathRule, sha256: digestRule, component: pathRule }),
  ];
}

function commands(map: PackDocument["commands"]): Problem[] {
  return Object.entries(map).flatMap(([name, command]) => {
    const at = ["commands", name];
    const executables = Object.entries(command.executable ?? {}).flatMap(([target, executable]) =>
      fields(executable, [...at, "executable", target], { path: pathRule, sha256: digestRule }),
    );
    const variables = Object.entries(command.env ?? {}).flatMap(([key, value]) => [
      ...environmentNameRule(key, [...at, "env", key]),
      ...environmentValueRule(value, [...at, "env", key]),
    ]);
    const own = fields(command, at, { entry: pathRule, version: lineRule });
    const versionArgs = each(command.versionArgs, [...at, "versionArgs"], lineRule);
    return [...nameRule(name, at), ...own, ...versionArgs, ...executables, ...variables];
  });
}

function bridges(map: NonNullable<PackDocument["bridges"]>): Problem[] {
  return Object.entries(map).flatMap(([name, bridge]) => [
    ...nameRule(name, ["bridges", name]),
    ...fields(bridge, ["bridges", name], {
      package: packageNameRule,
      version: versionRule,
      drives: packageNameRule,
    }),
  ]);
}

function named(
  map: Readonly<Record<string, object>> | undefined,
  path: Path,
  rules: Readonly<Record<string, ValueRule>>,
): Problem[] {
  return Object.entries(map ?? {}).flatMap(([name, value]) => [
    ...nameRule(name, [...path, name]),
    ...fields(value, [...path, name], rules),
  ]);
}

function each(values: readonly string[] | undefined, path: Path, rule: ValueRule): Problem[] {
  return (values ?? []).flatMap((value, index) => rule(value, [...path, index]));
}

function rows(
  list: readonly object[] | undefined,
  path: Path,
  rules: Readonly<Record<string, ValueRule>>,
): Problem[] {
  return (list ?? []).flatMap((row, index) => fields(row, [...path, index], rules));
}

function fields(map: object | undefined, path: Path, rules: Readonly<Record<string, ValueRule>>): Problem[] {
  return Object.entries(rules).flatMap(([key, rule]) => {
    const value: unknown = (map as Record<string, unknown> | undefined)?.[key];
    return typeof value === "string" ? rule(value, [...path, key]) : [];
  });
}
