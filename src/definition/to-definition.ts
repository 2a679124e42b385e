import type { CommandDefinition, PackDefinition } from "./pack-definition.ts";
import type { PackDocument } from "./pack-schema.ts";

type CommandDocument = PackDocument["commands"][string];

/** Fills the defaults in. The document has passed the schema and the cross rules. */
export function toDefinition(document: PackDocument): PackDefinition {
  const { schema: _, commands, interpreter, ...rest } = document;
  return defined({
    name: rest.name,
    lock: rest.lock,
    targets: rest.targets,
    origins: rest.origins ?? [],
    interpreter,
    place: (rest.place ?? []).map(defined),
    commands: mapValues(commands, toCommand),
    bridges: mapValues(rest.bridges ?? {}, defined),
    compiled: rest.compiled ?? {},
    prerequisites: rest.prerequisites ?? {},
    installScripts: (rest.installScripts ?? []).map(defined),
    omit: rest.omit ?? [],
    absent: rest.absent ?? [],
    patches: rest.patches ?? [],
    cpu: defined(rest.cpu ?? {}),
  });
}

function toCommand(command: CommandDocument): CommandDefinition {
  const base = {
    version: command.version,
    versionArgs: command.versionArgs ?? ["--version"],
    acp: command.acp ?? false,
    env: command.env ?? {},
  };
  if (command.entry !== undefined) return { kind: "entry", entry: command.entry, ...base };
  return { kind: "executable", executable: defined(command.executable ?? {}), ...base };
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The same object without keys whose value is undefined, which `exactOptionalPropertyTypes` tells apart. */
function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}

function mapValues<In, Out>(map: Readonly<Record<string, In>>, to: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value)]));
}
