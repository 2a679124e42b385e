import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseDefinition } from "../definition/parse-definition.ts";
import { toArgumentRecords } from "./argument-records.ts";
import { diffAudit } from "./audit.ts";
import { subsetFindings } from "./common-subset.ts";
import { type ImageRecord, toContentId } from "./content-id.ts";
import { hashInput } from "./hash-input.ts";
import type { DerivedFolder } from "./image-definition.ts";
import { assertNoFindings, type ImageFinding, sortFindings } from "./image-finding.ts";
import type { LocalInput } from "./local-input.ts";
import { type LocalInputs, readLocalInputs } from "./local-inputs.ts";
import { lockDefaultFindings } from "./lock-argument.ts";
import type { PlannedImage } from "./planned-image.ts";
import { readBounded } from "./read-bounded.ts";

/** An image's content ID, with every record that it is made of. */
export interface IdentifiedImage {
  readonly id: string;
  readonly records: readonly ImageRecord[];
}

/**
 * Lists and hashes what the build can read. Pins and refusals come first: with any, nothing is listed or hashed.
 * @throws the first finding's code
 */
export function identifyImage(planned: PlannedImage): IdentifiedImage {
  assertNoFindings(planned.findings);
  const local = listInputs(planned);
  const derived = (planned.definition?.derived ?? []).map((folder) => ({
    folder,
    listed: listDerived(planned, folder),
  }));
  assertNoFindings([...local.findings, ...derived.flatMap(({ listed }) => listed.findings)]);
  const records: ImageRecord[] = [
    ...toPlanRecords(planned),
    ...local.inputs.map((input): ImageRecord => ["input", input.path, input.kind, toContent(planned, input)]),
    ...derived.flatMap(({ folder, listed }) =>
      listed.inputs.map(
        (input): ImageRecord => ["derived", folder.path, input.path, input.kind, toContent(planned, input)],
      ),
    ),
  ];
  return { id: toContentId(records), records };
}

/** Everything that is wrong, at once; no file is hashed. */
export function checkImage(planned: PlannedImage): readonly ImageFinding[] {
  const { definition, file, definitionFile, plan } = planned;
  const local = listInputs(planned);
  const findings = [...planned.findings, ...local.findings];
  if (definition?.builders !== "buildkit") findings.push(...subsetFindings(plan, file));
  if (definition === undefined) {
    findings.push({
      code: "image.definition-missing",
      file: definitionFile,
      line: 0,
      expected: "image.yaml beside the Dockerfile",
      got: "none",
    });
    return sortFindings(findings);
  }
  const derived = definition.derived.flatMap((folder) => listDerived(planned, folder).findings);
  const unreached = definition.derived.filter(({ path }) => !local.reached.has(path));
  const stale = unreached.map(
    ({ path }): ImageFinding => ({
      code: "image.derived-stale",
      file: definitionFile,
      line: 0,
      expected: "a folder that the build reads",
      got: path,
    }),
  );
  return sortFindings([
    ...findings,
    ...lockFindings(planned),
    ...derived,
    ...stale,
    ...diffAudit(local.inputs, definition, definitionFile),
  ]);
}

function lockFindings({ definition, context, plan, file }: PlannedImage): readonly ImageFinding[] {
  if (definition?.build === undefined) return [];
  const { pack, lock } = definition.build;
  const path = join(context, pack, "pack.yaml");
  return lockDefaultFindings(
    plan.arguments,
    lock,
    parseDefinition(readBounded(path), path).lock.sha256,
    file,
  );
}

/** The inputs that the Dockerfile's sources make readable. */
export function listInputs({ plan, context, patterns, definition, file }: PlannedImage): LocalInputs {
  const derived = (definition?.derived ?? []).map(({ path }) => path);
  return readLocalInputs(plan.locals, { context, patterns, derived, file });
}

/** What a derived folder is derived from. It need not be visible to the build: it stands for what is. */
function listDerived({ context, definitionFile }: PlannedImage, { from }: DerivedFolder): LocalInputs {
  const sources = from.map(({ path, line }) => ({ path: path.replace(/\/$/, ""), line, glob: false }));
  return readLocalInputs(sources, { context, patterns: [], derived: [], file: definitionFile });
}

function toPlanRecords({ plan, platform, bytes, buildArguments, definition }: PlannedImage): ImageRecord[] {
  return [
    ["platform", platform],
    ...(plan.frontend === undefined ? [] : [["frontend", plan.frontend.text] as const]),
    ...plan.references.map(({ text }): ImageRecord => ["image", text]),
    ...plan.downloads.map(({ url, checksum }): ImageRecord => ["download", url, checksum]),
    ...toArgumentRecords(buildArguments, plan.arguments, definition?.provenance ?? []),
    ["dockerfile", createHash("sha256").update(bytes).digest("hex")],
  ];
}

function toContent({ context }: PlannedImage, { path, kind, target }: LocalInput): string {
  if (kind === "d") return "";
  return kind === "l" ? (target ?? "") : hashInput(join(context, path), path);
}
