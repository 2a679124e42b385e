import { Buffer } from "node:buffer";
import { compare } from "./compare.ts";
import { receive } from "./receive.ts";
import type { StageAnswer, StageArguments } from "./stage-arguments.ts";
import { toStageFailure } from "./stage-failure.ts";

/** The program by which a verified interpreter stages a pack. Its last argument is base64 of `StageArguments`; its input is on stdin. */
const args = JSON.parse(Buffer.from(process.argv.at(-1) ?? "", "base64").toString("utf8")) as StageArguments;

// A fixed umask: what is made between two chmods is never wider than it ends.
process.umask(0o022);
const input = process.stdin as AsyncIterable<Buffer>;
const run = args.task === "compare" ? compare(args, input) : receive(args, input);
run
  .catch((error: unknown): StageAnswer => {
    const { code, message } = toStageFailure(error);
    return { kind: "failed", code, message };
  })
  .then((answer) => {
    process.stdout.write(Buffer.from(JSON.stringify(answer)).toString("base64"));
    process.exitCode = ["failed", "unsound"].includes(answer.kind) ? 1 : 0;
  });
