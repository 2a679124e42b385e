import { toHashToolSearch } from "../../sandbox/base-tools.ts";
import { toAnswerMark } from "../../sandbox/marked-answer.ts";
import { output } from "../../sandbox/probe-script.ts";
import { toShellWord } from "../../sandbox/shell-quote.ts";
import { toToolSearch } from "../../sandbox/tool-search.ts";
import { toRootWord } from "../decide-script.ts";
import type { ExpectedPack } from "../expected-pack.ts";
import { inspectFunctions, inspectLimits } from "../inspect-functions.ts";

export interface PrepareQuestion {
  readonly expected: ExpectedPack;
  readonly roots: readonly string[];
  /** Directories without links in which the interpreter may stand. */
  readonly sources: readonly string[];
  /** Names the directory that is made. */
  readonly nonce: string;
  readonly needBytes: number;
}

/** What is left behind by a staging that was killed is removed by a later one, this many minutes after its last change. */
const staleMinutes = 10;

export const stageTools = [
  "ls",
  "mkdir",
  "chmod",
  "cp",
  "rm",
  "df",
  "find",
  "gzip",
  "base64",
  "cat",
] as const;

/** Tools by absolute path, the hash tool, and the functions that look: the beginning of every script of staging. */
export function toStagePreamble(): string {
  return [
    output,
    ...stageTools.map((tool) => toToolSearch(tool, tool)),
    toHashToolSearch("hash"),
    inspectFunctions,
    "umask 022\nleft=0\n",
  ].join("");
}

/**
 * `safe directory`: every directory down to it belongs to root or to this user, and is written by nobody else, or is sticky: nobody but
 * those two can put another directory in the place of one that is made below it.
 */
const safe = `
safe(){
while read -r k x uid y;do case $k in Uid:)break;;esac;done </proc/self/status
p=;rest=\${1#/}/
set -- /
while [ -n "$rest" ];do p=$p/\${rest%%/*};rest=\${rest#*/};set -- "$@" "$p";done
$ls -ldn "$@" 2>/dev/null|{ n=0
while read -r a l u o;do
case "$u" in 0|$uid)case $a in ?????-??-*|?????????[tT]*)n=$((n+1));;esac;;esac
done
[ $n = $# ];}
}
`;

const prepare = `
try(){
why=no-home
case $1 in /*"$nl"*)return 1;;/*);;*)return 1;;esac
reach "$1"
why=$state
case $state in link|other|unreadable)return 1;;esac
why=a-pack
[ ! -e "$1/sealpack.json" ]||return 1
why=not-writable
$mkdir -p "$1" 2>/dev/null
real=$(cd -P "$1" 2>/dev/null&&pwd -P)
case $real in /*"$nl"*)return 1;;/*);;*)return 1;;esac
why=not-safe
safe "$real"||return 1
why=not-writable
[ -z "$find" ]||$find "$real" -maxdepth 1 -name '.staging-*' -mmin +${staleMinutes} -exec $rm -rf '{}' ';' 2>/dev/null
d=$real/.staging-$name
$mkdir -m 700 "$d" 2>/dev/null&&$mkdir "$d/pack" 2>/dev/null||return 1
why=no-exec
printf '#!/bin/sh\\nexit 7\\n' >"$d/run"&&$chmod 700 "$d/run"
"$d/run" </dev/null >/dev/null 2>&1
[ $? = 7 ]||{ $rm -rf "$d";return 1;}
free=$($df -Pk "$d" 2>/dev/null);free=\${free#*"$nl"}
set -- $free
free=\${4:-}
why=no-room
case $free in ''|*[!0-9]*)free=;;*)[ "$free" -ge $need ]||{ $rm -rf "$d";d=;tight=$free;return 1;};;esac
why=
}
`;

/** `take source`: the interpreter of a source whose bytes are right, copied, and hashed again where it now stands. */
function toTakeFunction({ interpreter }: ExpectedPack): string {
  const { maxInterpreterBytes } = inspectLimits;
  return `
take(){
sum "$1/"$i ${maxInterpreterBytes}
[ "$digest" = ${interpreter.sha256} ]||return 1
$cp "$1/"$i "$n" 2>/dev/null&&$chmod 755 "$n"&&sum "$n" ${maxInterpreterBytes}&&[ "$digest" = ${interpreter.sha256} ]&&return
$rm -f "$n"
return 1
}
`;
}

/** Chooses the root, makes the staging directory in it, and puts the interpreter there if the sandbox has it. */
export function toPrepareScript(question: PrepareQuestion, mark: string): string {
  const { expected, roots, sources, nonce, needBytes } = question;
  const { path } = expected.interpreter;
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const tries = roots.map(
    (root, index) =>
      `if [ -z "$d" ];then try ${toRootWord(root)}||d=;put why.${index} "$why";else put why.${index} not-tried;fi\n`,
  );
  return [
    toStagePreamble(),
    safe,
    prepare,
    toTakeFunction(expected),
    toAnswerMark(mark, "begin"),
    `name=${nonce};need=${Math.ceil(needBytes / 1024)};d=;tight=;free=;real=;have=no\n`,
    ...tries,
    `if [ -n "$d" ];then\ni=${toShellWord(path)};n=$d/pack/$i\n`,
    `$mkdir -p "$d/pack/"${toShellWord(parent)}\n`,
    ...sources.map((source) => `[ $have = yes ]||{ take ${toShellWord(source)}&&have=yes;}\n`),
    "fi\n",
    'put directory "$d";put root "$real";put free "$free";put tight "$tight";put have $have;put gzip "$gzip"\n',
    toAnswerMark(mark, "end"),
    "exit 0\n",
  ].join("");
}
