import { sandboxError } from "./errors.ts";
import type { SandboxCommand } from "./executor.ts";
import { toExports, toShellWord, toShellWords } from "./shell-quote.ts";
import { toToolSearch } from "./tool-search.ts";

export interface SupervisorOptions {
  readonly nonce: string;
  /** Bytes of each stream that leave the sandbox, for transports that hand output over whole; absent where it is streamed. */
  readonly bound?: number;
}

/**
 * What a call started: every process that carries the call's nonce in its environment, the command itself, and, where the call has a
 * session of its own, that session but for the call's own shells and tools. It reads /proc with the shell's means; only `grep` is a
 * tool, and without it a session is left alone.
 */
const findFunctions = `
_sp_marked(){ _sp_all=;for _sp_f in $($_sp_g -ls "SEALPACK_EXEC=$_sp_n" /proc/[0-9]*/environ 2>/dev/null);do _sp_f=\${_sp_f#/proc/};_sp_all="$_sp_all \${_sp_f%/*}";done;}
_sp_own(){ $_sp_g -ls "SEALPACK_OWN=$_sp_n" /proc/[0-9]*/environ 2>/dev/null;$_sp_g -ls "sealpack-$_sp_n" /proc/[0-9]*/cmdline 2>/dev/null;}
_sp_find(){
_sp_marked;_sp_o=$(_sp_own)
for _sp_f in /proc/[0-9]*;do _sp_p=\${_sp_f#/proc/}
case $_sp_o in *"/$_sp_p/"*)[ $_sp_p = $_sp_c ]||continue;;esac
read -r _sp_l <$_sp_f/stat||continue
set -- \${_sp_l##*) }
case $_sp_p:$2:$4 in $_sp_c:$_sp_b:*|*:$_sp_sid)_sp_all="$_sp_all $_sp_p";;esac
done
}
`;

/** Its own pid, and its session, if this call leads it and may end it as a whole. */
const selfLookup = `
read -r _sp_b _sp_l </proc/self/stat
set -- \${_sp_l##*) }
_sp_sid=none;[ "$4" = $$ ]&&[ -n "$_sp_g" ]&&_sp_sid=$4
`;

/**
 * The script that runs one command under supervision. A client that is killed leaves its command running in a container
 * (measured), so the time limit is kept where the command is.
 * @throws SealpackError `sandbox.bad-command`
 */
export function toSupervisedScript(command: SandboxCommand, options: SupervisorOptions): string {
  const seconds = toSeconds(command.timeoutMs);
  const parts = [
    `_sp_n=${options.nonce}\n_sp_c=\n`,
    toToolSearch("_sp_g", "grep"),
    toToolSearch("_sp_z", "sleep"),
    findFunctions,
    "_sp_run(){",
    selfLookup,
    `read -r _sp_t _sp_l </proc/uptime;_sp_t=$((\${_sp_t%%.*}+${seconds}+1))\n`,
    `printf '\\n%s begin\\n' $_sp_n;printf '\\n%s begin\\n' $_sp_n >&4\n`,
    command.cwd === undefined ? "" : toEnter(command.cwd, options.bound === undefined),
    toChild(command),
    toWatchdog(seconds),
    "{ wait $_sp_c;} 2>/dev/null;_sp_r=$?\n",
    'kill $_sp_w 2>/dev/null;{ wait $_sp_w;} 2>/dev/null;[ $? = 77 ]&&_sp_r="$_sp_r timeout"\n',
    guard,
    toEndMarks(options.bound === undefined),
    `return \${_sp_r%% *}\n}\n`,
    "exec 3<&0 4>&2\n",
    toBoundedRun(options.bound),
  ];
  return parts.join("");
}

function toEnter(cwd: string, streamed: boolean): string {
  const quoted = toShellWord(cwd.startsWith("-") ? `./${cwd}` : cwd);
  return `cd ${quoted} 2>/dev/null||{ _sp_r=cwd;${toEndMarks(streamed).trim()};return 126;}\n`;
}

function toChild(command: SandboxCommand): string {
  const words = toShellWords([command.command, ...(command.args ?? [])]);
  return [
    `( SEALPACK_EXEC=$_sp_n;export SEALPACK_EXEC\n${toExports(command.env ?? {})}`,
    `exec ${words} ) <&3 3<&- 4>&- &\n_sp_c=$!\nexec 3<&-\n`,
  ].join("");
}

/** On stdout too where it is streamed: what was lost on the way shows by the mark that did not come. */
function toEndMarks(both: boolean): string {
  const mark = `printf '\\n%s end %s\\n' $_sp_n "$_sp_r"`;
  return `${both ? `${mark};` : ""}${mark} >&4\n`;
}

/** A watchdog that is no longer needed takes its `sleep` with it; `$!` is the command's until it has one of its own. */
function toWatchdog(seconds: number): string {
  return `( exec </dev/null >/dev/null 2>&1 4>&-
trap '[ $! = $_sp_c ]||kill $!;exit 0' TERM
$_sp_z ${seconds} & wait $!
trap '' TERM
_sp_find;kill $_sp_all;$_sp_z 1;_sp_find;kill -9 $_sp_all;exit 77 ) &
_sp_w=$!
`;
}

/**
 * A command that ends may leave processes behind. The time limit is theirs too: a guard waits until they are gone, or ends those that
 * still carry the nonce. It starts before the end marks, at which the shell may die of a broken pipe.
 */
const guard = `_sp_marked;[ -z "$_sp_all" ]||( exec </dev/null >/dev/null 2>&1 4>&-
_sp_d=1
while read -r _sp_u _sp_l </proc/uptime;_sp_u=$((_sp_t-\${_sp_u%%.*}));[ $_sp_u -gt 0 ];do
_sp_marked;[ -n "$_sp_all" ]||exit 0
[ $_sp_d -le $_sp_u ]||_sp_d=$_sp_u
$_sp_z $_sp_d;[ $_sp_d -ge 30 ]||_sp_d=$((_sp_d*2))
done
_sp_marked;kill $_sp_all;$_sp_z 1;_sp_marked;kill -9 $_sp_all ) &
`;

/** Where the transport hands output over whole, the sandbox bounds it: the rest is read and dropped there, to the streams' very end. */
function toBoundedRun(bound: number | undefined): string {
  if (bound === undefined) return "_sp_run\nexit $?";
  const filter = `( SEALPACK_OWN=$_sp_n;export SEALPACK_OWN;$_sp_h -c ${bound};exec $_sp_k >/dev/null )`;
  return [
    toToolSearch("_sp_h", "head"),
    toToolSearch("_sp_k", "cat"),
    `{ { _sp_run 2>&1 >&5 5>&-;} | ${filter} >&4 5>&-;} 5>&1 | ${filter} 4>&-`,
  ].join("");
}

function toSeconds(timeoutMs: number): number {
  if (Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= 86_400_000)
    return Math.ceil(timeoutMs / 1000);
  throw sandboxError("sandbox.bad-command", {
    subject: "time limit",
    expected: "above 0 and at most 86400000 ms",
    got: String(timeoutMs),
  });
}
