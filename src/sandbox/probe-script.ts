import { toHashToolSearch } from "./base-tools.ts";
import { toCleanShell } from "./clean-shell.ts";
import { toAnswerMark } from "./marked-answer.ts";
import type { SandboxShell } from "./preferred-shell.ts";
import { toShellWord, toShellWords } from "./shell-quote.ts";
import { toToolSearch } from "./tool-search.ts";

/** What a probe asks; every list's order is the order of its answers. */
export interface ProbeQuestion {
  readonly shell: SandboxShell;
  readonly commands: readonly string[];
  /** Default: the directory in which the transport starts commands. */
  readonly workspace?: string;
  readonly elfInterpreters: readonly string[];
  readonly libraries: readonly string[];
  readonly cpu: readonly string[];
}

/** `put key value`: one line, whatever the value holds. */
const output = `
nl='
'
esc(){
s=$1;o=
while :;do case $s in *\\\\*)o=$o\${s%%\\\\*}'\\\\';s=\${s#*\\\\};;*)break;;esac;done
s=$o$s;o=
while :;do case $s in *"$nl"*)o=$o\${s%%"$nl"*}'\\n';s=\${s#*"$nl"};;*)break;;esac;done
}
put(){ esc "$2";printf '%s=%s\\n' "$1" "$o$s";}
`;

/** User, umask and capabilities from /proc, by the shell alone: no tool of the image has a say. */
const user = `
uid=
while read -r k a b c;do case $k in Uid:)uid=$b;;CapEff:)cap=$a;;esac;done </proc/self/status
put user.id "$uid"
name=
[ -n "$uid" ]&&while IFS=: read -r n x u r;do [ "$u" = "$uid" ]&&{ name=$n;break;};done </etc/passwd
put user.name "$name"
put user.umask "$(umask)"
root=no
[ -w /var/run/docker.sock ]&&root=docker
[ -w /etc/passwd ]&&root=passwd
case $cap in *[1-9a-f]*)root=capabilities;;esac
[ -x /usr/bin/doas ]&&/usr/bin/doas -n true </dev/null >/dev/null 2>&1&&root=doas
[ -x /usr/bin/sudo ]&&/usr/bin/sudo -n true </dev/null >/dev/null 2>&1&&root=sudo
[ "$uid" = 0 ]&&root=root
[ -n "$uid" ]||root=unknown
put user.root "$root"
`;

/** `look key name answer`: one command's answer of `command -v`, and where else on PATH the name stands. */
const commands = `
look(){
put $1.answer "$3"
case $3 in /*)[ -f "$3" ]&&[ -x "$3" ]&&put $1.file yes||put $1.file no;;*)put $1.file no;;esac
found=;left=$SP_PATH:
case $2 in */*)left=;;esac
while [ -n "$left" ];do
d=\${left%%:*};left=\${left#*:}
case $d in /*)[ -f "$d/$2" ]&&[ -x "$d/$2" ]&&found=$found$d/$2$nl;;esac
done
put $1.all "$found"
}
`;

/**
 * A busybox with a standalone shell answers `tar` for its own applet. For base tools, unlike CLIs, the file on PATH is what counts.
 */
const baseTools = `
onpath(){
hit=$2;case $2 in ''|/*)return;;esac
left=$SP_PATH:
while [ -n "$left" ];do
d=\${left%%:*};left=\${left#*:}
case $d in /*)[ -f "$d/$1" ]&&[ -x "$d/$1" ]&&{ hit=$d/$1;return;};;esac
done
}
onpath tar "$SP_TAR";SP_TAR=$hit
onpath sh "$SP_SH";SP_SH=$hit
`;

/** `dir key path may-be-absent`: a file written, read back, run and removed; in the nearest directory that exists where it may be made. */
const directories = `
dir(){
state=missing;run=unknown;d=$2
case $d in /*);;*)state=unset;;esac
if [ "$3" = 1 ]&&[ $state = missing ];then while [ ! -e "$d" ]&&[ -n "$d" ];do d=\${d%/*};done;[ -n "$d" ]||d=/;fi
if [ $state = missing ]&&[ -d "$d" ];then try "$d";fi
put dir.$1.path "$2";put dir.$1.tested "$d";put dir.$1.state $state;put dir.$1.exec $run
}
try(){
[ -n "$rm" ]||{ state=no-rm;return;}
f=$1/.sealpack-probe-$mark
state=write-failed
(set -C;printf '#!/bin/sh\\n# %s\\nexit 7\\n' $mark >"$f") 2>/dev/null||{ $rm -f "$f" 2>/dev/null;return;}
state=read-failed
{ read -r a&&read -r b;} <"$f"&&[ "$b" = "# $mark" ]&&state=ok
if [ -n "$chmod" ]&&$chmod 700 "$f" 2>/dev/null;then "$f" >/dev/null 2>&1 </dev/null;case $? in 7)run=yes;;126)run=no;;esac;fi
if [ $state = ok ]&&[ "$tarstate" = unknown ];then
tarstate=broken
case $("$SP_TAR" -cf - -C "$1" ".sealpack-probe-$mark" 2>/dev/null|"$SP_TAR" -tf - 2>/dev/null) in ".sealpack-probe-$mark")tarstate=ok;;esac
fi
$rm -f "$f" 2>/dev/null;[ -e "$f" ]&&state=remove-failed
}
`;

const libraryDirectories = [
  "/lib /usr/lib /lib64 /usr/lib64 /usr/local/lib",
  "/lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu /lib/aarch64-linux-gnu /usr/lib/aarch64-linux-gnu",
].join(" ");

/** Host needs: facts only; whether they suffice is decided where the manifest is. */
const host = `
put host.uname "$([ -n "$uname" ]&&$uname -sm)"
glibc=
[ -x /usr/bin/getconf ]&&glibc=$(/usr/bin/getconf GNU_LIBC_VERSION 2>/dev/null)
if [ -z "$glibc" ];then for l in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1;do [ -x $l ]&&glibc=$($l --version 2>/dev/null);done;fi
put host.glibc "\${glibc%%"$nl"*}"
cxx=
for l in ${libraryDirectories};do [ -n "$grep" ]&&[ -f $l/libstdc++.so.6 ]&&for v in $($grep -ao 'GLIBCXX_3\\.4\\.[0-9]*' $l/libstdc++.so.6 2>/dev/null);do
v=\${v##*.};[ "$v" -gt "\${cxx:-0}" ] 2>/dev/null&&cxx=$v;done;done
put host.glibcxx "\${cxx:+3.4.$cxx}"
free=
[ -n "$df" ]&&case $SP_HOME in /*)free=$($df -Pk "$SP_HOME" 2>/dev/null);;esac
put host.df "$free"
flags=
while read -r k c l;do case $k in flags|Features)flags=\${l#:};break;;esac;done </proc/cpuinfo
`;

/** The whole probe as one script for `/bin/sh -c`: one round trip, one answer between marks. */
export function toProbeScript(question: ProbeQuestion, nonce: string): string {
  const names = question.commands.map((_, index) => `SP_C${index}`);
  return toCleanShell(
    toFirst(question),
    ["SP_SHELL", "SP_SH", "SP_TAR", "SP_NODE", ...names],
    toThen(question, nonce),
  );
}

/** In the user's environment: `command -v` as a run asks it, by the declared shell from PATH. */
function toFirst(question: ProbeQuestion): string {
  const ask = (variable: string, name: string) =>
    `${variable}=$($SP_ASK -c 'command -v "$1"' sh ${toShellWord(name)} 2>/dev/null </dev/null)\n`;
  return [
    `SP_SH=$(command -v sh 2>/dev/null)\nSP_SHELL=$(command -v ${question.shell} 2>/dev/null)\n`,
    // Where the declared shell is missing, its own row says so, and the others are asked all the same.
    `SP_ASK=${question.shell};case $SP_SHELL in /*);;*)SP_ASK=/bin/sh;;esac\n`,
    ask("SP_TAR", "tar"),
    ...question.commands.map((name, index) => ask(`SP_C${index}`, name)),
    ask("SP_NODE", "node"),
    'case $SP_NODE in /*)SP_NODE=$("$SP_NODE" --version 2>/dev/null </dev/null);;*)SP_NODE=;;esac',
  ].join("");
}

function toThen(question: ProbeQuestion, nonce: string): string {
  const tools = ["rm", "chmod", "df", "grep", "uname"].map((tool) => toToolSearch(tool, tool));
  return [
    `mark=${nonce}\n`,
    output,
    ...tools,
    baseTools,
    toAnswerMark(nonce, "begin"),
    'put path "$SP_PATH"\nput shell "$SP_SHELL"\nput sh "$SP_SH"\nput tar.answer "$SP_TAR"\nput node.version "$SP_NODE"\n',
    user,
    commands,
    ...question.commands.map((name, index) => `look command.${index} ${toShellWord(name)} "$SP_C${index}"\n`),
    directories,
    'tarstate=missing;case $SP_TAR in /*)[ -x "$SP_TAR" ]&&tarstate=unknown;;esac\n',
    `dir temp "\${SP_TMPDIR:-/tmp}" 0\ndir home "$SP_HOME" 0\n`,
    'cache=$SP_XDG_CACHE_HOME;[ -n "$cache" ]||{ [ -n "$SP_HOME" ]&&cache=$SP_HOME/.cache;}\ndir cache "$cache" 1\n',
    `dir workspace ${question.workspace === undefined ? '"$SP_CWD"' : toShellWord(question.workspace)} 0\n`,
    "put tar.state $tarstate\n",
    toHashToolSearch("hash"),
    'put hash "$hash"\n',
    host,
    toHostQuestions(question),
    toAnswerMark(nonce, "end"),
    "exit 0\n",
  ].join("");
}

function toHostQuestions(question: ProbeQuestion): string {
  const { elfInterpreters, libraries, cpu } = question;
  return [
    ...elfInterpreters.map(
      (path, index) => `[ -x ${toShellWord(path)} ]&&put elf.${index} yes||put elf.${index} no\n`,
    ),
    ...libraries.map(
      (name, index) =>
        `a=no;for l in ${libraryDirectories};do [ -e $l/${toShellWords([name])} ]&&a=yes;done;put lib.${index} $a\n`,
    ),
    ...cpu.map(
      (flag, index) =>
        `if [ -z "$flags" ];then a=unknown;else case " $flags " in *" "${toShellWord(flag)}" "*)a=yes;;*)a=no;;esac;fi;put cpu.${index} $a\n`,
    ),
  ].join("");
}
