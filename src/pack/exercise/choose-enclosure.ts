import { isSealpackError, type SealpackError } from "../../errors.ts";
import { startEnclosed } from "./enclosed.ts";
import { type Enclosure, planEnclosures } from "./enclosure.ts";
import { exerciseError } from "./errors.ts";
import { findTool } from "./find-tool.ts";
import { within } from "./reports.ts";

export interface ChooseOptions {
  readonly root: string;
  readonly allowNetwork: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The first enclosure that works on this machine, found by running something harmless in each.
 * @throws exercise.network-not-cut, exercise.cannot-enclose, exercise.tree-unreachable, exercise.cannot-drop-privileges
 */
export async function chooseEnclosure(options: ChooseOptions): Promise<Enclosure> {
  const reasons: string[] = [];
  let last: SealpackError | undefined;
  for (const enclosure of planEnclosures(options.root, process.getuid?.() === 0)) {
    try {
      await probe(enclosure, options);
      return enclosure;
    } catch (error) {
      if (!isSealpackError(error)) throw error;
      reasons.push(`${enclosure.kind}: ${error.message}`);
      last = error;
    }
  }
  const got = reasons.join("; ");
  if (last?.code === "exercise.network-not-cut") {
    const facts = { subject: "exercising", expected: "no network but loopback", got };
    throw exerciseError("exercise.network-not-cut", facts);
  }
  if (last?.code === "exercise.cannot-enclose") {
    throw exerciseError("exercise.cannot-enclose", {
      subject: "exercising",
      expected: "an isolated place",
      got,
    });
  }
  if (last !== undefined) throw last;
  const facts = { subject: "exercising as root", expected: "setpriv", got: "none on this system" };
  throw exerciseError("exercise.cannot-drop-privileges", facts);
}

/** The user who will run the commands must reach the tree. */
async function probe(enclosure: Enclosure, options: ChooseOptions): Promise<void> {
  const argv = [findTool("test") ?? "test", "-x", "{pack}/node_modules"];
  const enclosed = await startEnclosed({ ...options, enclosure, argv, environment: "bare" });
  let status = -1;
  try {
    enclosed.stdin.end();
    status = await within(enclosed.exited, 10_000, () => -1);
  } finally {
    await enclosed.finish();
  }
  if (status === 0) return;
  const got = `status ${status}: ${enclosed.stderr() || "it cannot be searched"}`;
  const facts = { subject: options.root, expected: "a tree that the exercising user can search", got };
  throw exerciseError("exercise.tree-unreachable", facts);
}
