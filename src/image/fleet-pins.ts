import type { FleetDefinition } from "./fleet-definition.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";

/** One version that the fleet must agree on. */
export interface FleetPin {
  /** An npm package's or an archive's name. */
  readonly name: string;
  readonly version: string;
  readonly kind: "npm" | "archive";
  /** An archive's URL up to where the version begins. */
  readonly prefix?: string;
}

/** A pin as another definition writes it. */
export interface ForeignPin {
  readonly name: string;
  readonly version: string;
  readonly line: number;
}

export interface FleetComparison {
  readonly findings: readonly ImageFinding[];
  /** Names of pins that the other definition holds, and of those it does not. */
  readonly compared: readonly string[];
  readonly absent: readonly string[];
}

/** @param packages the dependencies of the fleet's packs: name to exact version */
export function toFleetPins(
  fleet: FleetDefinition,
  packages: ReadonlyMap<string, string>,
): readonly FleetPin[] {
  const npm = [...packages].map(([name, version]): FleetPin => ({ name, version, kind: "npm" }));
  const archives = Object.entries(fleet.archives).map(([name, { version, url }]): FleetPin => {
    const end = url.indexOf("{version}");
    return { name, version, kind: "archive", ...(end < 0 ? {} : { prefix: url.slice(0, end) }) };
  });
  return [...npm, ...archives];
}

/**
 * Names the pins that another fleet definition, usually a Dockerfile, has at another version: both must be updated together. The other
 * file is searched for `package@version`, for the archives' URLs, and for the declared variables; it need not be one that we can build.
 */
export function diffFleetPins(
  pins: readonly FleetPin[],
  fleet: FleetDefinition,
  text: string,
  file: string,
): FleetComparison {
  const foreign = findForeignPins(pins, fleet, text);
  const own = new Map(pins.map(({ name, version }) => [name, version]));
  const findings = foreign
    .filter(({ name, version }) => own.get(name) !== version)
    .map(({ name, version, line }): ImageFinding => {
      const expected = `${name} ${own.get(name)}, as this fleet pins it`;
      return { code: "image.fleet-pin-differs", file, line, expected, got: toShownText(version) };
    });
  const named = new Set(foreign.map(({ name }) => name));
  const names = pins.map(({ name }) => name);
  return {
    findings,
    compared: names.filter((name) => named.has(name)),
    absent: names.filter((name) => !named.has(name)),
  };
}

function findForeignPins(
  pins: readonly FleetPin[],
  fleet: FleetDefinition,
  text: string,
): readonly ForeignPin[] {
  const lines = text.split("\n").map((line) => (/^\s*#/.test(line) ? "" : line));
  const variables = new Map(lines.flatMap((line) => readVariables(line)));
  return lines.flatMap((line, index) => {
    const found = [
      ...pins.flatMap((pin) => readLiteral(pin, resolve(line, variables))),
      ...readDeclared(line, fleet, pins),
    ];
    return found.map((pin) => ({ ...pin, line: index + 1 }));
  });
}

/** `ARG X=1` and `ENV X=1 Y=2`, and the same in the continuation lines of either. */
function readVariables(line: string): [name: string, value: string][] {
  return [...line.matchAll(/(?:^|\s)([A-Z_][A-Z0-9_]{0,99})=["']?([^\s"']{1,200})/g)].map((match) => [
    match[1] as string,
    match[2] as string,
  ]);
}

function resolve(line: string, variables: ReadonlyMap<string, string>): string {
  return line
    .slice(0, 4096)
    .replace(/\$\{?([A-Z_][A-Z0-9_]{0,99})\}?/g, (whole, name: string) => variables.get(name) ?? whole);
}

function readLiteral({ name, kind, prefix }: FleetPin, line: string): { name: string; version: string }[] {
  const start = kind === "npm" ? `${name}@` : prefix;
  if (start === undefined) return [];
  const found: { name: string; version: string }[] = [];
  for (let at = line.indexOf(start); at >= 0; at = line.indexOf(start, at + 1)) {
    if (kind === "npm" && /[A-Za-z0-9@/._-]/.test(line[at - 1] ?? " ")) continue;
    const version = /^v?([0-9][0-9A-Za-z.+-]*)/.exec(line.slice(at + start.length))?.[1];
    if (version !== undefined) found.push({ name, version });
  }
  return found;
}

function readDeclared(
  line: string,
  fleet: FleetDefinition,
  pins: readonly FleetPin[],
): { name: string; version: string }[] {
  return readVariables(line).flatMap(([variable, version]) => {
    const name = Object.hasOwn(fleet.variables, variable) ? fleet.variables[variable] : undefined;
    return name !== undefined && pins.some((pin) => pin.name === name)
      ? [{ name, version: version.replace(/^v(?=\d)/, "") }]
      : [];
  });
}
