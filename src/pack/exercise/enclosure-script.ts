/**
 * The first process of an enclosure, in POSIX sh. It speaks lines on fd 3 and obeys lines on fd 4: it makes the place,
 * tells what the network looks like from inside, waits for `go`, runs its arguments, tells their status, waits until the
 * caller has looked at what they left running, and tells which package managers were called.
 *
 * Its own environment holds only what `toScriptEnvironment` gives; the command gets none of it.
 */
export const enclosureScript = `
fail() { printf 'failed %s\\n' "$1" >&3; exit 125; }
tell() {
  [ -r "/proc/net/$1" ] || return 0
  while IFS= read -r line; do printf '%s %s\\n' "$1" "$line" >&3; done < "/proc/net/$1"
}
umask 022
if [ -n "$MOUNT" ]; then
  "$MOUNT" -t tmpfs -o mode=0755,nosuid,nodev tmpfs "$STAGE" || fail "mount a tmpfs at $STAGE"
  "$MKDIR" "$STAGE/pack" || fail "make $STAGE/pack"
  "$MOUNT" --bind "$ROOT" "$STAGE/pack" || fail 'bind the pack'
  "$MOUNT" -o remount,bind,ro,nosuid,nodev "$STAGE/pack" || fail 'make the pack read-only'
  for folder in /tmp /var/tmp; do
    if [ "$folder" != "$STAGE" ] && [ -d "$folder" ]; then
      "$MOUNT" -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$folder" || fail "mount a tmpfs at $folder"
    fi
  done
  if [ -n "$IP" ]; then "$IP" link set lo up 2>/dev/null; fi
fi
"$MKDIR" "$STAGE/trap" "$STAGE/$NONCE" || fail 'make the home'
for folder in home tmp work cache config data state run; do
  "$MKDIR" -m 0700 "$STAGE/$NONCE/$folder" || fail 'make the home'
done
for name in npm npx pnpm pnpx yarn yarnpkg bun bunx corepack; do
  printf '#!/bin/sh\\nprintf "%%s\\\\n" "%s $*" >> "\${0%%/*}/../%s/called"\\nexit 1\\n' "$name" "$NONCE" > "$STAGE/trap/$name" &&
    "$CHMOD" 755 "$STAGE/trap/$name" || fail 'make the traps'
done
: > "$STAGE/$NONCE/called" || fail 'make the traps'
if [ -n "$OWNER" ]; then "$CHOWN" -R "$OWNER" "$STAGE/$NONCE" || fail 'give the home away'; fi
cd "$STAGE/$NONCE/work" || fail 'enter the home'
tell dev
tell route
tell ipv6_route
printf 'ready\\n' >&3
read -r answer <&4 && [ "$answer" = go ] || exit 125
"$@" 3>&- 4<&-
printf 'exit %s\\n' "$?" >&3
read -r answer <&4
while IFS= read -r line; do printf 'called %s\\n' "$line" >&3; done < "$STAGE/$NONCE/called"
printf 'end\\n' >&3
`;
