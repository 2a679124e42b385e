import gte from "semver/functions/gte.js";
import type { InterpreterDefinition } from "../../definition/pack-definition.ts";
import type { EncloseOptions } from "./enclosed.ts";
import { exerciseError } from "./errors.ts";
import { runEnclosed } from "./run-enclosed.ts";

const question = "JSON.stringify([process.versions.node, process.versions.undici])";

/**
 * Runs the pack's own Node, moved and with an empty environment, and compares what it says of itself with what is
 * declared (B7).
 * @throws exercise.interpreter-report, exercise.interpreter-version, exercise.interpreter-minimum, exercise.undici-version
 */
export async function verifyInterpreter(
  declared: InterpreterDefinition,
  shared: Omit<EncloseOptions, "argv" | "environment">,
): Promise<void> {
  const argv = [`{pack}/${declared.path}`, "-p", question];
  const { node, undici } = parseReport(declared.path, await ask(declared.path, { ...shared, argv }));
  const subject = declared.path;
  if (node !== declared.version) {
    throw exerciseError("exercise.interpreter-version", { subject, expected: declared.version, got: node });
  }
  if (!gte(node, declared.minimum)) {
    const expected = `at least ${declared.minimum}`;
    throw exerciseError("exercise.interpreter-minimum", { subject, expected, got: node });
  }
  if (undici !== declared.undici) {
    throw exerciseError("exercise.undici-version", { subject, expected: declared.undici, got: undici });
  }
}

async function ask(subject: string, options: Omit<EncloseOptions, "environment">): Promise<string> {
  try {
    return await runEnclosed(subject, { ...options, environment: "bare" });
  } catch (cause) {
    options.signal?.throwIfAborted();
    const got = cause instanceof Error ? cause.message : String(cause);
    const facts = { subject, expected: "a Node that runs with an empty environment", got, cause };
    throw exerciseError("exercise.interpreter-report", facts);
  }
}

/** The answer of a program that only claims to be Node: believed for a comparison, nothing else. */
function parseReport(subject: string, text: string): { node: string; undici: string } {
  try {
    const [node, undici] = JSON.parse(text) as unknown[];
    if (typeof node === "string" && typeof undici === "string") return { node, undici };
  } catch {
    // Told below.
  }
  const got = JSON.stringify(text.slice(0, 200));
  throw exerciseError("exercise.interpreter-report", { subject, expected: "its versions as JSON", got });
}
