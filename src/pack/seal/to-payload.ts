import { createHash } from "node:crypto";
import { printJson } from "../../manifest/print-json.ts";
import type {
  ManifestBridge,
  ManifestCommand,
  ManifestComponent,
  ManifestFile,
  ManifestInterpreter,
  ManifestRequires,
  Payload,
} from "../../manifest/types.ts";
import { digestComponents } from "../../tree/digest-components.ts";
import { toExecutablePath } from "../assemble/to-executable-path.ts";
import { launcherFolder } from "../assemble/write-root-files.ts";
import { packError } from "../errors.ts";
import type { Exercised } from "../steps.ts";

/**
 * The manifest's payload. Pure: every value but `sourceRevision` and `release` comes from the definition, the lock or the
 * tree (design 3).
 */
export function toPayload(tree: Exercised, requires: ManifestRequires): Payload {
  const { definition, plan, source, listing } = tree;
  const digestOf = toFileDigests(tree);
  const components = toComponents(tree);
  const bridges = { ...toBridges(tree, components), ...toCompiledBridges(tree, digestOf) };
  const { id: _, ...target } = plan.target;
  return {
    name: definition.name,
    target,
    sourceRevision: source.revision,
    release: source.release && tree.exercised,
    lock: { manager: "npm", path: definition.lock.path, sha256: tree.lock.sha256 },
    interpreter: toInterpreter(tree, digestOf),
    components,
    commands: toCommands(tree, digestOf),
    bridges,
    bridgeDigest: createHash("sha256").update(printJson(bridges, 0)).digest("hex"),
    prerequisites: definition.prerequisites,
    candidates: {},
    requires,
    tree: { digest: listing.digest, entries: listing.entries.length, bytes: listing.bytes },
  };
}

type FileDigests = (path: string) => ManifestFile;

function toFileDigests(tree: Exercised): FileDigests {
  const digests = new Map(tree.listing.entries.map((entry) => [entry.path, entry.digest]));
  return (path) => ({ path, sha256: digests.get(path) ?? "" });
}

function toInterpreter(tree: Exercised, digestOf: FileDigests): ManifestInterpreter | Record<string, never> {
  const declared = tree.definition.interpreter;
  if (declared === undefined) return {};
  const { path, version, minimum, undici } = declared;
  return { path, version, minimum, undici, sha256: digestOf(path).sha256 };
}

function toComponents(tree: Exercised): Record<string, ManifestComponent> {
  const locations = tree.plan.packages.map((planned) => planned.location);
  const digests = digestComponents(tree.listing, locations, tree.placed);
  const rows = tree.plan.packages.map((planned): [string, ManifestComponent] => {
    const patches = tree.definition.patches
      .filter((patch) => patch.component === planned.location)
      .map(({ file, sha256 }) => ({ file, sha256 }));
    const { name, version, integrity, location } = planned;
    return [location, { name, version, integrity, patches, digest: digests.get(location) ?? "" }];
  });
  return Object.fromEntries(rows);
}

function toCommands(tree: Exercised, digestOf: FileDigests): Record<string, ManifestCommand> {
  const { definition, plan } = tree;
  const rows = Object.entries(definition.commands).map(([name, command]): [string, ManifestCommand] => {
    const launcher = digestOf(`${launcherFolder}/${name}`);
    const executable = digestOf(toExecutablePath(definition, name, plan.target.id));
    const entry = command.kind === "entry" ? { entry: digestOf(command.entry) } : {};
    return [name, { launcher, executable, ...entry, version: command.version }];
  });
  return Object.fromEntries(rows);
}

/** A package bridge's digest is its component's, so a CLI's version is no part of it (requirement B3). */
function toBridges(
  tree: Exercised,
  components: Readonly<Record<string, ManifestComponent>>,
): Record<string, ManifestBridge> {
  const rows = Object.entries(tree.definition.bridges).map(([name, bridge]): [string, ManifestBridge] => {
    const path = `node_modules/${bridge.package}`;
    const component = components[path];
    if (component === undefined) {
      throw packError("pack.bridge-missing", {
        subject: `bridges.${name}`,
        expected: path,
        got: "no such package",
      });
    }
    return [
      name,
      { version: component.version, path, sha256: component.digest, builtFrom: component.integrity },
    ];
  });
  return Object.fromEntries(rows);
}

/** A compiled bridge's digest is its file's. */
function toCompiledBridges(tree: Exercised, digestOf: FileDigests): Record<string, ManifestBridge> {
  const rows = tree.compiled.map(({ name, version, path, builtFrom }): [string, ManifestBridge] => [
    name,
    { version, ...digestOf(path), builtFrom },
  ]);
  return Object.fromEntries(rows);
}
