import { toAnswerMark } from "../../sandbox/marked-answer.ts";
import { toShellWord } from "../../sandbox/shell-quote.ts";
import type { ExpectedPack } from "../expected-pack.ts";
import { inspectLimits } from "../inspect-functions.ts";
import type { StageArguments } from "../remote/stage-arguments.ts";
import { stagerProgram } from "../remote-programs.generated.ts";
import { toArgument, toProgramCall, toProgramVariable } from "../run-program.ts";
import { toStagePreamble } from "./prepare-script.ts";

export interface StagePlace {
  /** `<root>/.staging-<nonce>` */
  readonly directory: string;
  readonly root: string;
}

/** Takes the interpreter from its input, and says what it turned out to be. What failed removes itself. */
export function toInterpreterScript(
  expected: ExpectedPack,
  place: StagePlace,
  gzip: boolean,
  mark: string,
): string {
  const file = toShellWord(`${place.directory}/pack/${expected.interpreter.path}`);
  const unpack = gzip ? `$gzip -dc >${file}` : `$cat >${file}`;
  return `${toStagePreamble()}${unpack} 2>/dev/null;code=$?
$chmod 755 ${file}
sum ${file} ${inspectLimits.maxInterpreterBytes}
[ $code = 0 ]&&[ "$digest" = ${expected.interpreter.sha256} ]||{ free=$($df -Pk ${toShellWord(place.root)} 2>/dev/null);$rm -rf ${toShellWord(place.directory)};}
${toAnswerMark(mark, "begin")}put state $state
put sha256 "$digest"
put code $code
put df "\${free:-}"
${toAnswerMark(mark, "end")}exit 0
`;
}

/**
 * Runs one task of the stager by the staged interpreter, which is hashed in the same command. Its input is the stager's. A task that
 * fails leaves nothing.
 */
export function toTaskScript(expected: ExpectedPack, args: StageArguments, mark: string): string {
  const { interpreter } = expected;
  const file = toShellWord(`${args.directory}/pack/${interpreter.path}`);
  const last = args.task === "receive";
  return `${toStagePreamble()}${toProgramVariable("program", stagerProgram)}n=${file}
sum "$n" ${inspectLimits.maxInterpreterBytes}
answer=;code=none
if [ "$digest" = ${interpreter.sha256} ];then
answer=$(cd /;${toProgramCall('"$n"', '"$program"')} ${toArgument(args)} 2>/dev/null);code=$?
fi
[ $code = 0 ]${last ? "&&false" : ""}||$rm -rf ${toShellWord(args.directory)}
${toAnswerMark(mark, "begin")}put sha256 "$digest"
put code $code
put answer "$answer"
${toAnswerMark(mark, "end")}exit 0
`;
}
