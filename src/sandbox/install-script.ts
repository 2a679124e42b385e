import { toAnswerMark } from "./marked-answer.ts";
import type { SandboxShell } from "./preferred-shell.ts";
import { toShellWord } from "./shell-quote.ts";
import { toToolSearch } from "./tool-search.ts";

/** How long a waiter waits for another's install, in seconds: as long as one may take. */
export interface InstallQuestion {
  readonly shell: SandboxShell;
  readonly command: string;
  readonly install: string;
  readonly waitSeconds: number;
}

/** Polls after which a lock without an owner counts as left by a process that died between making and signing it. */
const unsignedPolls = 5;

/**
 * Probe, lock, probe again, install once, say how it went (S5). The lock is a directory in the sandbox, signed with the holder's pid
 * and start time, so that a dead holder is told from a living one. The install's output goes to stderr; stdout has only the answer.
 */
export function toInstallScript(question: InstallQuestion, nonce: string): string {
  const { shell, command, install, waitSeconds } = question;
  const tools = ["mkdir", "rm", "rmdir", "sleep"].map((tool) => toToolSearch(tool, tool)).join("");
  return `
say(){ ${toAnswerMark(nonce, "begin").trim()};printf 'state=%s\\nexit=%s\\n' "$1" "$2";present&&printf 'present=yes\\n'||printf 'present=no\\n';${toAnswerMark(nonce, "end").trim()};exit 0;}
present(){ command -v ${command} >/dev/null 2>&1;}
born(){ b=;{ read -r b <"/proc/$1/stat";} 2>/dev/null;set -- \${b##*) };b=;[ $# -lt 20 ]||{ shift 19;b=$1;};}
present&&say present 0
while read -r k a b;do case $k in Uid:)uid=$b;break;;esac;done </proc/self/status
uid=\${uid%%[!0-9]*}
lock=\${TMPDIR:-/tmp}/sealpack-ensure-$uid-${command}.lock
${tools}
waited=0;unsigned=0;held=no
until $mkdir "$lock" 2>/dev/null;do
[ -d "$lock" ]||{ $mkdir "$lock" 2>/dev/null&&break;[ -d "$lock" ]||say lock-unavailable 1;}
waited=$((waited+1));[ $waited -gt ${waitSeconds} ]&&say lock-busy 1
pid=;start=;{ read -r pid start <"$lock/owner";} 2>/dev/null
if [ -z "$pid" ];then unsigned=$((unsigned+1));dead=no;[ $unsigned -ge ${unsignedPolls} ]&&dead=yes
else unsigned=0;born "$pid";dead=no;[ "$b" = "$start" ]||dead=yes;fi
if [ $dead = yes ];then
if $mkdir "$lock.clear" 2>/dev/null;then
again=;{ read -r again x <"$lock/owner";} 2>/dev/null
[ "$again" = "$pid" ]&&$rm -rf "$lock"
$rmdir "$lock.clear";unsigned=0;held=no;continue
fi
else held=yes;fi
$sleep 1
done
trap '$rm -rf "$lock"' EXIT
trap 'exit 143' TERM INT HUP
born $$;printf '%s %s\\n' $$ "$b" >"$lock/owner"
present&&say present 0
[ $held = no ]||say other-failed 1
${shell} -c ${toShellWord(install)} </dev/null >&2
code=$?
[ $code = 0 ]&&say installed 0
say install-failed $code
`;
}
