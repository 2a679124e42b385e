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
 * Ends what a call started: every process that carries the call's nonce in its environment, and, where the call has a session
 * of its own, every process of that session. It reads /proc with the shell's own means; only `grep` is a tool.
 */
const endFunction = `
_sp_end(){
read -r _sp_me _sp_l </proc/self/stat
_sp_m=
${toToolSearch("_sp_g", "grep")}_sp_m=$($_sp_g -ls "SEALPACK_EXEC=$_sp_n" /proc/[0-9]*/environ 2>/dev/null)
for _sp_f in /proc/[0-9]*;do _sp_p=\${_sp_f#/proc/}
case $_sp_p in $$|$_sp_b|$_sp_me)continue;;esac
case $_sp_m in *"/$_sp_p/"*)kill -$1 $_sp_p;continue;;esac
[ $_sp_sid = $$ ]||continue
read -r _sp_l <$_sp_f/stat||continue
set -- $1 \${_sp_l##*) }
[ "$5" = $$ ]&&kill -$1 $_sp_p
done
kill -$1 $_sp_c
}
`;

/** Its own pid, and the session it is in: only a session that this call leads may be ended as a whole. */
const selfLookup = `
read -r _sp_b _sp_l </proc/self/stat
set -- \${_sp_l##*) }
_sp_sid=\${4:-0}
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
    endFunction,
    "_sp_run(){",
    selfLookup,
    toToolSearch("_sp_z", "sleep"),
    `printf '\\n%s begin\\n' $_sp_n;printf '\\n%s begin\\n' $_sp_n >&4\n`,
    command.cwd === undefined ? "" : toEnter(command.cwd, options.bound === undefined),
    toChild(command),
    toWatchdog(seconds),
    "{ wait $_sp_c;} 2>/dev/null;_sp_r=$?\n",
    'kill $_sp_w 2>/dev/null;{ wait $_sp_w;} 2>/dev/null;[ $? = 77 ]&&_sp_r="$_sp_r timeout"\n',
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
_sp_end TERM;$_sp_z 1;_sp_end KILL;exit 77 ) &
_sp_w=$!
`;
}

/** Where the transport hands output over whole, the sandbox bounds it: the rest is read and dropped there. */
function toBoundedRun(bound: number | undefined): string {
  if (bound === undefined) return "_sp_run\nexit $?";
  const filter = `{ $_sp_h -c ${bound};exec $_sp_k >/dev/null;}`;
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
