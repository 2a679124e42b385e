import { imageError } from "./errors.ts";
import type { ImageDefinition } from "./image-definition.ts";
import { toShownText } from "./image-finding.ts";

/**
 * Reads a selection, `a,b`: sorted, so that its order never matters. "" is no selection.
 * @throws image.candidates-invalid
 */
export function parseCandidates(text: string, known: readonly string[]): readonly string[] {
  if (text === "") return [];
  const names = text.split(",");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalid(`one of ${known.join(", ")}`, unknown === "" ? "an empty name" : unknown);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid("each name once", twice);
  return names.sort();
}

/**
 * The build arguments with the selection in them, sorted: `--candidate-providers=b,a` and the build argument `a,b` are one and the same
 * (requirement D4). No selection is no argument.
 * @throws image.candidates-invalid, image.candidates-undeclared, image.candidates-disagree
 */
export function withCandidates(
  given: ReadonlyMap<string, string>,
  selection: string | undefined,
  definition: ImageDefinition | undefined,
): ReadonlyMap<string, string> {
  const declared = definition?.candidates;
  if (declared === undefined) {
    if (selection === undefined) return given;
    const facts = { subject: "--candidate-providers", expected: "`candidates` in image.yaml", got: "none" };
    throw imageError("image.candidates-undeclared", facts);
  }
  const byFlag = selection === undefined ? undefined : parseCandidates(selection, declared.names).join();
  const argument = given.get(declared.argument);
  const byArgument = argument === undefined ? undefined : parseCandidates(argument, declared.names).join();
  if (byFlag !== undefined && byArgument !== undefined && byFlag !== byArgument) {
    const facts = {
      subject: declared.argument,
      expected: `${byFlag}, as --candidate-providers says`,
      got: byArgument,
    };
    throw imageError("image.candidates-disagree", facts);
  }
  const result = new Map([...given].filter(([name]) => name !== declared.argument));
  const value = byFlag ?? byArgument ?? "";
  return value === "" ? result : result.set(declared.argument, value);
}

function invalid(expected: string, got: string) {
  return imageError("image.candidates-invalid", {
    subject: "candidate providers",
    expected,
    got: toShownText(got),
  });
}
