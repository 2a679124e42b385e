/**
 * Shell functions that look at a pack without running anything of it. All tools are `$ls`, `$hash` and the like: found by absolute path.
 * The files belong to whoever could write there: regular files only, of bounded size, never through a link.
 */

/** The most that is hashed of an interpreter, in bytes. */
const maxInterpreterBytes = 1024 * 1024 * 1024;
const maxManifestBytes = 1024 * 1024;

/**
 * `sum file max`: sets `state` (`absent`, `other`, `unreadable`, `large`, `hashed`) and `digest`.
 */
const sum = `
sum(){
state=hashed;digest=
if [ -L "$1" ];then state=other
elif [ ! -e "$1" ];then state=absent
elif [ ! -f "$1" ];then state=other
elif [ ! -r "$1" ];then state=unreadable
else
set -- "$1" "$2" $($ls -ldn "$1" 2>/dev/null)
if [ "\${7:-x}" -le "$2" ] 2>/dev/null;then digest=$($hash <"$1" 2>/dev/null);digest=\${digest%% *}
else state=large;fi
fi
[ $state != hashed ]||[ \${#digest} = 64 ]||state=unreadable
}
`;

/**
 * `chain file`: sets `chain` to `root` where every directory from / down to the file, and the file, belongs to root and nobody else may
 * write it; to the first that does not otherwise; to `unknown` where that could not be told. The path has no links in it.
 */
const chain = `
chain(){
p=;rest=\${1#/};last=$1
set -- /
while :;do case $rest in */*)p=$p/\${rest%%/*};rest=\${rest#*/};set -- "$@" "$p";;*)break;;esac;done
set -- "$@" "$last"
chain=$($ls -ldn "$@" 2>/dev/null|{ n=0;bad=
while read -r a l u o x;do case "$a $u" in ?????-??-*" 0")n=$((n+1));;*)[ -n "$bad" ]||bad="$a user $u: /\${x#*/}";;esac;done
echo "$n $bad";})
case $chain in "$# ")chain=root;;*" ")chain=unknown;;esac
}
`;

/** `reach path`: sets `state`: `directory`, `link`, `other`, `absent`, or `unreadable` where a directory above cannot be searched. */
const reach = `
reach(){
state=absent
if [ -L "$1" ];then state=link
elif [ -d "$1" ];then state=directory
elif [ -e "$1" ];then state=other
else
p=\${1%/*}
while [ -n "$p" ];do
if [ -d "$p" ];then [ -x "$p" ]||state=unreadable;break;fi
p=\${p%/*}
done
fi
}
`;

/** Packs a file into `other`, base64 of gzip, where it fits into `left` characters: for a manifest that is to be shown. */
const pack = `
pack(){
other=
[ -n "$gzip" ]||return
case $hash in *openssl*)other=$($gzip -c <"$1" 2>/dev/null|\${hash%% *} base64 -A 2>/dev/null);;
*)[ -n "$base64" ]&&other=$($gzip -c <"$1" 2>/dev/null|$base64 2>/dev/null);other=$(printf %s $other);;esac
[ \${#other} -le $left ]||other=
left=$((left-\${#other}))
}
`;

export const inspectFunctions = sum + chain + reach + pack;

export const inspectLimits = { maxInterpreterBytes, maxManifestBytes };
