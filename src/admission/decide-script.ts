import { toHashToolSearch } from "../sandbox/base-tools.ts";
import { toCleanShell } from "../sandbox/clean-shell.ts";
import { toAnswerMark } from "../sandbox/marked-answer.ts";
import { output, type ProbeQuestion, toProbeScript } from "../sandbox/probe-script.ts";
import { toShellWord } from "../sandbox/shell-quote.ts";
import { toToolSearch } from "../sandbox/tool-search.ts";
import type { ExpectedPack } from "./expected-pack.ts";
import { inspectFunctions, inspectLimits } from "./inspect-functions.ts";
import { verifierProgram } from "./remote-programs.generated.ts";
import { toProgramCall, toProgramVariable } from "./run-program.ts";

export interface DecisionQuestion {
  readonly expected: ExpectedPack;
  readonly roots: readonly string[];
  readonly probe: ProbeQuestion;
}

export interface DecisionNonces {
  readonly probe: string;
  readonly decision: string;
}

/** Characters of the answer that manifests and reports may take together; the rest of its 64 KiB is for the facts. */
const answerCharacters = 48_000;
const reportCharacters = 20_000;

/**
 * `candidate key path`: what stands there, in the order of docs/admission.md steps 3 to 7. It ends at the first thing that says no, so that
 * nothing is run, and nothing large read, for a pack that is refused anyhow.
 */
function toCandidateFunction({ expected }: DecisionQuestion): string {
  const { interpreter, manifestSha256 } = expected;
  const call = `${toProgramCall('"$n"', '"$program"')} "$real" ${manifestSha256} root $most`;
  return `
candidate(){
real=;inode=;chain=;ms=;md=;is=;id=;run=;report=;other=
if [ -n "$done" ];then state=skipped;else look "$2";fi
put root.$1.state $state;put root.$1.real "$real";put root.$1.inode "$inode";put root.$1.chain "$chain"
put root.$1.manifest.state "$ms";put root.$1.manifest.sha256 "$md"
put root.$1.interpreter.state "$is";put root.$1.interpreter.sha256 "$id"
put root.$1.run "$run";put root.$1.report "$report";put root.$1.other "$other"
}
look(){
case $1 in /*"$nl"*)state=no-home;return;;/*);;*)state=no-home;return;;esac
reach "$1"
[ $state = directory ]||return
real=$(cd -P "$1" 2>/dev/null&&pwd -P);case $real in /*"$nl"*)real=;;esac
[ -n "$real" ]||{ state=unreadable;return;}
[ -n "$hash" ]&&[ -n "$ls" ]||return
inode=$($ls -di "$real" 2>/dev/null);inode=\${inode#\${inode%%[0-9]*}};inode=\${inode%% *}
n=$real/${toShellWord(interpreter.path)}
sum "$real/sealpack.json" ${inspectLimits.maxManifestBytes};ms=$state;md=$digest;state=directory
[ $ms = hashed ]||return
[ $md = ${manifestSha256} ]||{ pack "$real/sealpack.json";return;}
[ ! -L "$n" ]&&[ -f "$n" ]||{ sum "$n" 0;is=$state;state=directory;return;}
chain "$n"
[ "$chain" = root ]||return
sum "$n" ${inspectLimits.maxInterpreterBytes};is=$state;id=$digest;state=directory
[ $is = hashed ]&&[ ! -x "$n" ]&&is=other
[ $is = hashed ]&&[ $id = ${interpreter.sha256} ]||return
most=$left;[ $most -le ${reportCharacters} ]||most=${reportCharacters}
report=$(cd /;${call} </dev/null 2>/dev/null);run=$?
left=$((left-\${#report}))
[ $run != 0 ]||done=1
}
`;
}

/** Each root, then the pack of this manifest that stands staged below it. */
export function toCandidates(roots: readonly string[], id: string): readonly string[] {
  return roots.flatMap((root) => [root, `${root}/${id}`]);
}

/** A path as a shell word; `$HOME` is the sandbox user's, known as data. */
export function toRootWord(path: string): string {
  return path.startsWith("$HOME/") ? `"$SP_HOME"${toShellWord(path.slice(5))}` : toShellWord(path);
}

/** The whole decision as one script: the probe and the packs at once. One round trip, two answers between marks of their own. */
export function toDecisionScript(question: DecisionQuestion, nonces: DecisionNonces): string {
  const tools = ["ls", "gzip", "base64"].map((tool) => toToolSearch(tool, tool));
  const candidates = toCandidates(question.roots, question.expected.id);
  const decide = [
    output,
    ...tools,
    toHashToolSearch("hash"),
    inspectFunctions,
    toProgramVariable("program", verifierProgram),
    toCandidateFunction(question),
    toAnswerMark(nonces.decision, "begin"),
    `left=${answerCharacters};done=\nput hash "$hash";put ls "$ls"\n`,
    ...candidates.map((path, index) => `candidate ${index} ${toRootWord(path)}\n`),
    toAnswerMark(nonces.decision, "end"),
    "exit 0\n",
  ].join("");
  // The probe has its own core while the pack is hashed; its answer and the other one must not run into each other.
  return `(\n${toProbeScript(question.probe, nonces.probe)}\n) </dev/null &
_sp_decided=$(\n${toCleanShell("", [], decide)}\n)
wait
printf '%s\\n' "$_sp_decided"
`;
}
