import type { SandboxShell } from "./preferred-shell.ts";
import { toShellWord } from "./shell-quote.ts";
import { toToolSearch } from "./tool-search.ts";

/** The readiness probe's exit code for a service of which no process is left. */
export const serviceGone = 86;

/** The name by which a service's processes are found again: each carries it in its environment. */
function markOf(nonce: string): string {
  return `SEALPACK_SERVICE=${nonce}`;
}

/** As a pattern that does not find the search itself. */
function patternOf(nonce: string): string {
  return `SEALPACK_SERVICE=[${nonce[0]}]${nonce.slice(1)}`;
}

function logOf(nonce: string): string {
  return `"\${TMPDIR:-/tmp}"/sealpack-service-${nonce}.log`;
}

/** Detached from the call that starts it: no stdin, output into a log of its own, not ended with the call. */
export function toStartScript(shell: SandboxShell, command: string, nonce: string): string {
  return `(umask 077;set -C;: >${logOf(nonce)})||exit 125
( unset SEALPACK_EXEC;export ${markOf(nonce)};exec ${shell} -c ${toShellWord(command)} ) </dev/null >>${logOf(nonce)} 2>&1 &
exit 0
`;
}

/** 0 ready, 86 gone, anything else not yet. */
export function toReadyScript(shell: SandboxShell, ready: string, nonce: string): string {
  return `${shell} -c ${toShellWord(ready)} </dev/null&&exit 0
${toToolSearch("g", "grep")}[ -z "$g" ]||[ -n "$($g -ls '${patternOf(nonce)}' /proc/[0-9]*/environ 2>/dev/null)" ]||exit ${serviceGone}
exit 1
`;
}

/** TERM, up to `graceSeconds`, KILL, and 0 only if none is left. */
export function toEndServiceScript(nonce: string, graceSeconds: number): string {
  return `${toToolSearch("g", "grep")}${toToolSearch("z", "sleep")}${toToolSearch("rm", "rm")}
[ -n "$g" ]||exit 1
left(){ found=$($g -ls '${patternOf(nonce)}' /proc/[0-9]*/environ 2>/dev/null);[ -n "$found" ];}
each(){ for f in $found;do f=\${f#/proc/};kill -$1 \${f%/environ} 2>/dev/null;done;}
i=0;left&&each TERM
while left&&[ $i -lt ${graceSeconds} ];do $z 1;i=$((i+1));done
i=0
while left&&[ $i -lt 3 ];do each KILL;$z 1;i=$((i+1));done
[ -n "$rm" ]&&$rm -f ${logOf(nonce)}
left&&exit 1
exit 0
`;
}

export function toLogTailScript(nonce: string): string {
  return `${toToolSearch("t", "tail")}[ -n "$t" ]&&$t -c 4000 ${logOf(nonce)} 2>/dev/null;exit 0\n`;
}
