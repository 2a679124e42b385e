import { parseAnswerLines } from "../../sandbox/marked-answer.ts";
import { createNonce } from "../../sandbox/nonce.ts";
import { AdmissionError, type Reason, toRefusal } from "../reason.ts";
import { toPrepareScript } from "./prepare-script.ts";
import type { StagePlace } from "./stage-scripts.ts";
import { askScript, type StageSession } from "./stage-session.ts";

export interface Prepared extends StagePlace {
  /** Whether the interpreter already stands there, hashed. */
  readonly hasInterpreter: boolean;
  readonly hasGzip: boolean;
}

const whys: Readonly<Record<string, string>> = {
  "no-home": "no home directory",
  link: "a symbolic link",
  other: "no directory",
  unreadable: "a directory that cannot be entered",
  "a-pack": "another pack",
  "not-writable": "a directory that the user cannot write",
  "no-exec": "a file system that allows no execution",
  "not-safe": "a directory that others can write",
  "no-room": "too little free space",
};

/**
 * Finds the first usable root and makes the staging directory in it.
 * @throws AdmissionError with each root's reason, `admission.no-room` among them
 */
export async function prepare(
  session: StageSession,
  roots: readonly string[],
  sources: readonly string[],
): Promise<Prepared> {
  const { expected, sandbox } = session;
  const nonce = createNonce();
  const needBytes = expected.manifest.payload.tree.bytes + expected.manifest.payload.tree.entries * 4096;
  const question = { expected, roots, sources, nonce, needBytes };
  const answer = await askScript(session, (mark) => toPrepareScript(question, mark));
  const lines = parseAnswerLines(answer, sandbox.name);
  const [directory = "", root = ""] = [lines.get("directory"), lines.get("root")];
  if (directory === "") throw noRoot(roots, lines, needBytes);
  if (directory !== `${root}/.staging-${nonce}` || !root.startsWith("/")) {
    throw toRefusal("admission.staging-failed", {
      subject: sandbox.name,
      expected: `${root}/.staging-${nonce}`,
      got: JSON.stringify(directory.slice(0, 200)),
    });
  }
  return { directory, root, hasInterpreter: lines.get("have") === "yes", hasGzip: lines.get("gzip") !== "" };
}

function noRoot(roots: readonly string[], lines: ReadonlyMap<string, string>, needBytes: number) {
  const reasons = roots.map((root, index): Reason => {
    const why = lines.get(`why.${index}`) ?? "";
    if (why !== "no-room") {
      const got = whys[why] ?? "one that cannot be used";
      return { code: "admission.no-stage-root", subject: root, expected: "a place to stage a pack", got };
    }
    const free = Number(lines.get("tight") ?? 0) * 1024;
    return {
      code: "admission.no-room",
      subject: root,
      expected: `${needBytes} bytes free`,
      got: String(free),
    };
  });
  const room = reasons.filter(({ code }) => code === "admission.no-room");
  return new AdmissionError([...room, ...reasons.filter((one) => !room.includes(one))] as [Reason], null);
}
