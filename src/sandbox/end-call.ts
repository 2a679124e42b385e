import { toToolSearch } from "./tool-search.ts";

/**
 * A script for a second call, which ends what an earlier one started: its command's processes by the nonce in their
 * environment, its own shells by the nonce in their `$0`, and the session that it leads. For a call that was given up.
 * The first character stands in brackets, so that the search does not find itself.
 */
export function toEndCallScript(nonce: string): string {
  const pattern = `[${nonce[0]}]${nonce.slice(1)}`;
  return `
read -r me l </proc/self/stat
${toToolSearch("g", "grep")}end(){
found="$($g -ls 'SEALPACK_EXEC=${pattern}' /proc/[0-9]*/environ 2>/dev/null)
$($g -ls 'sealpack-${pattern}' /proc/[0-9]*/cmdline 2>/dev/null)"
for f in /proc/[0-9]*;do p=\${f#/proc/}
[ $p = $me ]&&continue
case $found in *"/$p/"*)kill -$1 $p 2>/dev/null;continue;;esac
{ read -r l <$f/stat;} 2>/dev/null||continue
set -- $1 \${l##*) }
case $found in *"/$5/cmdline"*)kill -$1 $p 2>/dev/null;;esac
done
}
end TERM
${toToolSearch("z", "sleep")}$z 1
end KILL
exit 0
`;
}
