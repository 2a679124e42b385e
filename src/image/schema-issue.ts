import type * as z from "zod";
import { locate, type YamlSource } from "../definition/yaml-document.ts";
import { toShownText } from "./image-finding.ts";

/** Where image.yaml or fleet.yaml departs from its schema, as the facts of an error. */
export function toIssueFacts(
  source: YamlSource,
  issue: z.core.$ZodIssue,
): { subject: string; expected: string; got: string } {
  const keys = issue.path as (string | number)[];
  const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
  const subject = `${source.file}:${lineOf(source, [...keys, ...unknown.slice(0, 1)])}`;
  if (unknown.length > 0)
    return { subject, expected: "only keys of the schema", got: toShownText(unknown.join(", ")) };
  const got = toShownText(JSON.stringify(source.document.getIn(keys)) ?? "nothing");
  return {
    subject: keys.length === 0 ? subject : `${subject}: ${keys.join(".")}`,
    expected: issue.message,
    got,
  };
}

export function lineOf(source: YamlSource, keys: readonly (string | number)[]): number {
  return locate(source, { code: "definition.wrong-value", path: keys, expected: "", got: "" }).line;
}
