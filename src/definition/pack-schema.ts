import * as z from "zod";
import { compiledPrograms } from "./pack-definition.ts";
import { targetIds } from "./target.ts";

/** What a `pack.yaml` says, key by key. What one key demands of another is in cross-rules.ts. */
const text = z.string().min(1).max(4096);
const sha256 = z.string().meta({ description: "SHA-256, 64 lowercase hex digits." });
const path = text.meta({ description: "Path in the pack: relative, normal, / between names." });
const targetPath = text.meta({ description: "Path in the pack; {target} stands for the target's id." });
const version = text.meta({ description: "One exact version. Quote what YAML would read as a number." });
const target = z.enum(targetIds);

const interpreter = z.strictObject({
  path,
  version,
  minimum: version,
  undici: version.meta({ description: "Version of the undici that this Node bundles." }),
});

const place = z.strictObject({
  from: targetPath,
  to: targetPath,
  replaces: sha256.optional().meta({ description: "SHA-256 of the file that may stand at `to`." }),
});

const executable = z.strictObject({ path, sha256 });

const command = z.strictObject({
  executable: z
    .partialRecord(target, executable)
    .optional()
    .meta({ description: "A native command: one executable per target." }),
  entry: path.optional().meta({ description: "A script that the pack's interpreter runs." }),
  version: text.meta({ description: "The line that the version arguments print." }),
  versionArgs: z.array(text).min(1).max(16).optional().meta({ description: 'Default ["--version"].' }),
  acp: z.boolean().optional().meta({ description: "Answers ACP initialize and session/new on stdio." }),
  env: z
    .record(z.string(), z.string().max(4096))
    .optional()
    .meta({ description: "Set by the launcher; {pack} stands for the pack's root." }),
});

const bridge = z.strictObject({
  package: text,
  version,
  drives: text.optional().meta({ description: "The CLI package of which the pack holds one copy." }),
});

const compiled = z.strictObject({
  program: z.enum(compiledPrograms).meta({ description: "The program of sealpack's own that is compiled." }),
  version: version.meta({ description: "The bridge's own version." }),
  path: path.meta({ description: "Where the one file stands in the pack, below dist/." }),
});

const prerequisite = z.strictObject({
  version,
  path: text.meta({ description: "Absolute path in the sandbox, whose owner provides the file." }),
  sha256,
});

const installScript = z.strictObject({
  package: text,
  run: text.meta({ description: "The script's exact command. It never runs." }),
  file: path.optional(),
  sha256: sha256.optional(),
  replacedBy: z.enum(["nothing", "place"]),
});

const absent = z.strictObject({
  package: text.meta({ description: "name@version of an optional dependency that the lock does not hold." }),
  target: text.meta({ description: "The target it would have served." }),
});

const patch = z.strictObject({ file: path, sha256, component: path });

export const packSchema = z
  .strictObject({
    schema: z.literal("sealpack/pack/v1"),
    name: text,
    lock: z.strictObject({ path, sha256 }),
    targets: z.array(target).min(1),
    origins: z.array(text).max(64).optional(),
    interpreter: interpreter.optional(),
    place: z.array(place).max(256).optional(),
    commands: z.record(z.string(), command),
    bridges: z.record(z.string(), bridge).optional(),
    compiled: z.record(z.string(), compiled).optional(),
    prerequisites: z.record(z.string(), prerequisite).optional(),
    installScripts: z.array(installScript).max(256).optional(),
    omit: z.array(targetPath).max(256).optional(),
    absent: z.array(absent).max(256).optional(),
    patches: z.array(patch).max(256).optional(),
    cpu: z.partialRecord(target, z.array(text).max(64)).optional(),
  })
  .meta({ title: "sealpack pack definition", description: "What a provider pack is, apart from its lock." });

export type PackDocument = z.infer<typeof packSchema>;

/** The text of schemas/pack.schema.json, which gives editors completion; it is generated and committed. */
export function toPackSchema(): string {
  const schema = z.toJSONSchema(packSchema, { target: "draft-2020-12", io: "input" });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
