#!/bin/sh
# The image's last step: every declared command runs as the sandbox user, or the build fails. A root image is checked as the user
# daytona where there is one, else as nobody.
set -eu

commands=/opt/paperclip-runner/commands.tsv
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
failed=0

as_user() { env -i PATH="$PATH" HOME="$home" TMPDIR="$home" "$@"; }

if [ "$(id -u)" -eq 0 ]; then
  user=$(id -u daytona 2>/dev/null || echo 65534)
  group=$(id -g daytona 2>/dev/null || echo 65534)
  chown "$user:$group" "$home"
  as_user() {
    env -i PATH="$PATH" HOME="$home" TMPDIR="$home" setpriv --reuid "$user" --regid "$group" --clear-groups --no-new-privs -- "$@"
  }
fi

# Any line of its output may hold the version: some print a banner first.
while IFS='	' read -r command version; do
  path=$(as_user sh -c 'command -v "$1"' sh "$command" || :)
  output=$(as_user "$command" --version </dev/null 2>&1 || printf '\nexit %s\n' "$?")
  if [ "$path" = "/usr/local/bin/$command" ] && printf '%s\n' "$output" | grep -qF -- "$version" && ! printf '%s\n' "$output" | grep -q '^exit [0-9]'; then
    printf 'ok - %s %s\n' "$command" "$version"
  else
    failed=1
    printf 'not ok - %s: expected %s from /usr/local/bin/%s, got %s from %s\n' "$command" "$version" "$command" "$output" "${path:-nowhere}"
  fi
done <"$commands"

if [ -e /usr/local/bin/paperclip-runnerd ]; then
  metadata=$(as_user paperclip-runnerd --build-metadata) || failed=1
  for mode in dial_ws_loopback dial_wss listen_ws; do
    printf '%s' "$metadata" | grep -qF "\"$mode\"" || { failed=1 && printf 'not ok - paperclip-runnerd: expected %s, got %s\n' "$mode" "$metadata"; }
  done
fi
exit "$failed"
