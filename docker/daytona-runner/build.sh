#!/bin/sh
# The build stage of the image: from the context's root, as root, without a network. Everything it uses comes from the vendored folder.
set -eu
umask 022

image=docker/daytona-runner
vendor=$image/vendor
opt=/out/paperclip-runner
bin=/out/bin

fail() {
  printf 'daytona-runner: %s\n' "$1" >&2
  exit 1
}

is_hex() { [ "${#1}" -eq "$2" ] && case $1 in *[!0-9a-f]*) false ;; esac; }

# The interpreter is hashed with the base's own tool before it runs anything; env -i: nothing of the build's environment decides.
tool() { env -i PATH="$PATH" HOME=/nonexistent TMPDIR=/tmp LC_ALL=C "$vendor/node" "$vendor/sealpack.mjs" "$@"; }

check_arguments() {
  [ "$(uname -s)/$(uname -m)" = Linux/x86_64 ] || fail "expected linux/amd64, the only platform for which every pinned CLI has a release, got $(uname -s)/$(uname -m)"
  is_hex "${PAPERCLIP_RUNNER_SOURCE_REVISION-}" 40 || fail "expected PAPERCLIP_RUNNER_SOURCE_REVISION of 40 lowercase hex digits, got '${PAPERCLIP_RUNNER_SOURCE_REVISION-}'"
  is_hex "${PAPERCLIP_RUNNER_LOCK_SHA256-}" 64 || fail "expected PAPERCLIP_RUNNER_LOCK_SHA256 of 64 lowercase hex digits, got '${PAPERCLIP_RUNNER_LOCK_SHA256-}'"
  [ -f "$vendor/sealpack.mjs" ] || fail "expected a filled $vendor, got none: run sealpack fetch packs/paperclip-runner --to $vendor"
  (cd "$vendor" && sha256sum -c --quiet ../node.sha256) || fail "expected the pinned interpreter at $vendor/node, got other bytes"
}

check_content_id() {
  id=$(tool image id "$image/Dockerfile" \
    --build-arg "PAPERCLIP_RUNNER_BUILD_IMAGE=$PAPERCLIP_RUNNER_BUILD_IMAGE" \
    --build-arg "PAPERCLIP_RUNNER_BASE_IMAGE=$PAPERCLIP_RUNNER_BASE_IMAGE" \
    --build-arg "PAPERCLIP_RUNNER_LOCK_SHA256=$PAPERCLIP_RUNNER_LOCK_SHA256" \
    --build-arg "PAPERCLIP_RUNNER_CANDIDATE_PROVIDERS=$PAPERCLIP_RUNNER_CANDIDATE_PROVIDERS" \
    --build-arg "PAPERCLIP_RUNNER_FLEET_WITHOUT=$PAPERCLIP_RUNNER_FLEET_WITHOUT") || fail "the content ID cannot be computed"
  [ "$id" = "${PAPERCLIP_RUNNER_CONTENT_ID-}" ] || fail "expected PAPERCLIP_RUNNER_CONTENT_ID=$id, got '${PAPERCLIP_RUNNER_CONTENT_ID-}'"
}

build_pack() {
  pack=$1
  out=$2
  shift 2
  tool build "packs/$pack" --out "$out" --target linux-x64 --source-revision "$PAPERCLIP_RUNNER_SOURCE_REVISION" --assert-clean \
    --offline --cache "$vendor/cache" "$@"
}

# link <command> <path in the image>
link() {
  [ ! -e "$bin/$1" ] && [ ! -L "$bin/$1" ] || fail "expected one program named $1, got two"
  ln -s "$2" "$bin/$1"
}

link_pack() {
  for launcher in "$opt/$1"/node_modules/.bin/*; do
    link "${launcher##*/}" "/opt/paperclip-runner/$1/node_modules/.bin/${launcher##*/}"
  done
}

install_fleet() {
  set --
  for name in $(printf '%s' "$PAPERCLIP_RUNNER_FLEET_WITHOUT" | tr , ' '); do
    set -- "$@" --without "$name"
    printf 'daytona-runner: left out by name: %s\n' "$name"
  done
  tool image fleet "$image/Dockerfile" --vendor "$vendor" --to "$opt/fleet" "$@" >/out/fleet.tsv
  while IFS='	' read -r command path version; do
    link "$command" "/opt/paperclip-runner/fleet/$path"
    printf '%s\t%s\n' "$command" "$version" >>"$opt/commands.tsv"
  done </out/fleet.tsv
}

# Requirement D6: one file that finds the pack's Node by itself. It names the commit that it was made from.
install_runnerd() {
  if [ ! -f "$vendor/paperclip-runnerd" ]; then
    printf 'daytona-runner: left out, not in the vendored folder: paperclip-runnerd\n'
    return 0
  fi
  mkdir "$opt/runnerd"
  install -m 755 "$vendor/paperclip-runnerd" "$opt/runnerd/paperclip-runnerd"
  # From where no package.json says what kind of module it is.
  "$vendor/node" "$opt/runnerd/paperclip-runnerd" --build-metadata | grep -qF "\"$PAPERCLIP_RUNNER_SOURCE_REVISION\"" ||
    fail "expected a paperclip-runnerd of $PAPERCLIP_RUNNER_SOURCE_REVISION, got one of another commit: run sealpack fetch again"
  link paperclip-runnerd /opt/paperclip-runner/runnerd/paperclip-runnerd
}

check_arguments
mkdir -p "$opt" "$bin"
check_content_id
set -- --lock "$vendor/package-lock.json" --lock-sha256 "$PAPERCLIP_RUNNER_LOCK_SHA256"
# The bundler stands where the tool finds it; the bridges' sources are where it looks for them, ../../../src.
tool image bundler "$image/Dockerfile" --vendor "$vendor" --to "$vendor/node_modules" "$@"
if [ -n "$PAPERCLIP_RUNNER_CANDIDATE_PROVIDERS" ]; then set -- "$@" "--candidate-providers=$PAPERCLIP_RUNNER_CANDIDATE_PROVIDERS"; fi
build_pack paperclip-runner "$opt/provider-pack" "$@"
build_pack fleet "$opt/fleet-pack"
link_pack provider-pack
link_pack fleet-pack
for pack in provider-pack fleet-pack; do
  "$vendor/node" "$image/print-commands.mjs" "$opt/$pack/sealpack.json" >>"$opt/commands.tsv"
done
install_fleet
install_runnerd
install -m 644 "$image/check.sh" "$opt/check.sh"
