#!/usr/bin/env bash
# The image shown from outside, on the installed tarball, with git, coreutils and a Docker engine of our own: the content ID, the checks, and
# real builds without a network by the classic builder and by BuildKit. Needs root, docker.io, debootstrap, docker-registry, jq, npm's registry.
# shellcheck source=scripts/accept/lib.sh
. "$(dirname "$0")/lib.sh"

for tool in docker dockerd debootstrap docker-registry jq git curl; do
  command -v "$tool" >/dev/null || die "the tool $tool is installed"
done
[ "$(id -u)" -eq 0 ] || die 'running as root'
# An engine that was running before stays.
had_engine=yes
"$root/scripts/docker/engine.sh" status || had_engine=no
DOCKER_HOST=$("$root/scripts/docker/engine.sh" start) || die 'a Docker engine starts'
export DOCKER_HOST
base=$("$root/scripts/docker/base.sh") || die 'a base image by debootstrap, in a registry on loopback'
registry=$("$root/scripts/docker/base.sh" registry) || die 'a registry on loopback'

project=$work/project
node=$node24
install_tarball "$project" "$node24"
git -C "$root" diff --quiet HEAD -- src scripts packs docker package.json package-lock.json || die 'the checkout has no uncommitted change'
# What only a checkout can make (runnerd, the tool anew) is made by the checkout's own command line.
checkout() { "$node24" "$root/src/cli/main.ts" "$@"; }
git clone -q "$root" "$work/repository" || die 'a clone of the repository'
repository=$work/repository
cd "$repository" || die 'the clone'
revision=$(git rev-parse HEAD)
image=docker/daytona-runner
vendor=$image/vendor
arguments=(--build-arg "PAPERCLIP_RUNNER_BUILD_IMAGE=$base" --build-arg "PAPERCLIP_RUNNER_FLEET_WITHOUT=cursor,gh")
docker_arguments=("${arguments[@]}" --build-arg "PAPERCLIP_RUNNER_BASE_IMAGE=$base" --build-arg "PAPERCLIP_RUNNER_SOURCE_REVISION=$revision")
# What this run makes is named after it and removed at the end.
built_name=$registry/sealpack/accept-$$
remove_images() { docker images -q --filter "reference=$built_name*" | sort -u | xargs -r docker rmi -f >/dev/null 2>&1; }
stop_engine() { [ "$had_engine" = yes ] || { "$root/scripts/docker/base.sh" stop && "$root/scripts/docker/engine.sh" stop; }; }
trap 'remove_images; stop_engine; cleanup' EXIT

id_of() { (cd "${1:-$repository}" && sealpack image id daytona-runner); }

# --- the content ID --------------------------------------------------------------------------------------------------
id=$(id_of)
is_id() { [[ $id =~ ^[0-9a-f]{64}$ ]] && [ "$(sealpack image id daytona-runner | wc -l)" -eq 1 ]; }
row 'image id prints an ID of 64 lowercase hex digits and nothing else' is_id

explained() { [ "$(sealpack image id daytona-runner --explain | head -n -1 | sha256sum | cut -d' ' -f1)" = "$id" ]; }
row '--explain prints the text whose SHA-256 is the ID' explained

same_everywhere() {
  local mask
  for mask in 002 077; do
    (umask $mask && git clone -q "$root" "$work/a path, $mask/clone") && [ "$(id_of "$work/a path, $mask/clone")" = "$id" ] || return 1
  done
  git clone -q --depth=1 "file://$root" "$work/shallow" && [ "$(id_of "$work/shallow")" = "$id" ] || return 1
  mkdir "$work/exported" && git archive HEAD | tar -x -C "$work/exported" && [ "$(id_of "$work/exported")" = "$id" ]
}
row 'the ID is the same across umasks, paths, shallow clones and an export without .git' same_everywhere

unrelated() {
  find . -path ./.git -prune -o -type f -exec touch -d 2001-01-01 {} + && [ "$(id_of)" = "$id" ] || return 1
  chown -R nobody docker && [ "$(id_of)" = "$id" ] || return 1
  chown -R root docker && git commit -q --allow-empty --no-gpg-sign -m later --author 'a <a@example.org>' && [ "$(id_of)" = "$id" ]
}
git config user.name accept && git config user.email accept@example.org
row 'times, owners and a commit that changes no input leave it as it is' unrelated

sealpack image id daytona-runner --explain --json >"$work/explain.json"
jq -r '.records[] | if .[0] == "input" then .[1] elif .[0] == "derived" then .[2] else empty end' "$work/explain.json" | sort -u >"$work/counted"
git ls-files | sort >"$work/tracked"
comm -23 "$work/tracked" "$work/counted" | grep -vxF .dockerignore >"$work/others"

others_do_not_count() {
  [ "$(wc -l <"$work/others")" -gt 50 ] || return 1
  while read -r path; do printf '#\n' >>"$path"; done <"$work/others"
  local after
  after=$(id_of)
  git checkout -q -- . && [ "$after" = "$id" ]
}
row 'editing every tracked file that is no record leaves it as it is' others_do_not_count

each_record_counts() {
  local path
  [ "$(wc -l <"$work/counted")" -gt 50 ] || return 1
  while read -r path; do
    cp -p "$path" "$work/saved"
    printf '#' >>"$path"
    # An edit that makes a definition unreadable prints no ID at all, which is not the old one either.
    if [ "$(id_of 2>/dev/null)" = "$id" ]; then printf 'no change by %s\n' "$path" && return 1; fi
    cp -p "$work/saved" "$path"
  done <"$work/counted"
  [ "$(id_of)" = "$id" ]
}
row 'editing any file of the records changes it' each_record_counts

candidates() {
  local one
  one=$(sealpack image id daytona-runner --candidate-providers=pi,cursor)
  [ "$one" != "$id" ] &&
    [ "$one" = "$(sealpack image id daytona-runner --candidate-providers=cursor,pi)" ] &&
    [ "$one" = "$(sealpack image id daytona-runner --build-arg PAPERCLIP_RUNNER_CANDIDATE_PROVIDERS=pi,cursor)" ]
}
row '--candidate-providers and the build argument give one ID, in any order' candidates

lock_digests() {
  local other
  other=$(printf other | sha256sum | cut -d' ' -f1)
  [ "$(sealpack image id daytona-runner --lock-sha256 "$other")" != "$id" ] &&
    [ "$(sealpack image id daytona-runner --lock-sha256 "$(sha256_of packs/paperclip-runner/package-lock.json)" --lock packs/paperclip-runner/package-lock.json)" = "$id" ] &&
    fails_with image.lock-argument sealpack image id daytona-runner --build-arg PAPERCLIP_RUNNER_LOCK_SHA256=
}
row "another lock's digest gives another ID, the pack's own the same, an empty one an error" lock_digests

# Half a gigabyte of input, then 50,000 files beside it. Both tools once to fill the page cache.
many() {
  local folder=$work/many start own other
  mkdir -p "$folder/app" "$folder/other"
  printf '# syntax=docker/dockerfile:1.7@sha256:%064d\nFROM a@sha256:%064d\nCOPY app /app\n' 1 2 >"$folder/Dockerfile"
  for i in $(seq 50); do head -c 10000000 /dev/zero | openssl enc -aes-128-ctr -K "$(printf %032d "$i")" -iv 0 2>/dev/null >"$folder/app/$i"; done
  sealpack image id "$folder" >"$work/before" && sha256sum "$folder"/app/* >/dev/null
  start=$(date +%s%N) && sealpack image id "$folder" >/dev/null && own=$(($(date +%s%N) - start))
  start=$(date +%s%N) && sha256sum "$folder"/app/* >/dev/null && other=$(($(date +%s%N) - start))
  seq 50000 | (cd "$folder/other" && xargs touch)
  sealpack image id "$folder" >"$work/after"
  printf 'image id %s ms, sha256sum %s ms\n' $((own / 1000000)) $((other / 1000000))
  rm -rf "$folder"
  cmp "$work/before" "$work/after" && [ $((own * 2)) -le $((other * 3)) ]
}
row 'image id takes at most 1.5 times what sha256sum takes, and 50,000 unrelated files change nothing' many
grep -h 'sha256sum' "$work/row.out" | sed 's/^/    /'

# --- the checks ------------------------------------------------------------------------------------------------------
row 'image check finds the image sound' sealpack image check daytona-runner

unpinned() {
  local start
  sed -i 's/^ARG PAPERCLIP_RUNNER_BASE_IMAGE=.*/ARG PAPERCLIP_RUNNER_BASE_IMAGE=daytonaio\/sandbox:0.8.0/' $image/Dockerfile
  start=$(date +%s%N)
  fails_with image.base-not-pinned sealpack image check daytona-runner
  local status=$? took=$((($(date +%s%N) - start) / 1000000))
  grep -q "$image/Dockerfile:[0-9]*: image.base-not-pinned" "$work/fails.out" || status=1
  fails_with image.base-not-pinned sealpack image id daytona-runner || status=1
  git checkout -q -- $image && printf '%s ms\n' $took && [ $status -eq 0 ] && [ $took -lt 1000 ]
}
row 'an unpinned base is named with file and line in under a second, and has no ID' unpinned

unseen_input() {
  touch $image/new.txt
  fails_with image.input-not-audited sealpack image check daytona-runner && grep -q "$image/new.txt" "$work/fails.out"
  local status=$?
  rm $image/new.txt
  return $status
}
row 'a file that enters the closure unseen is named' unseen_input

fleet() {
  printf 'FROM x\nARG GH_VERSION=2.100.0\nRUN npm i -g @google/gemini-cli@0.60.0\n' >"$work/other.Dockerfile"
  fails_with image.fleet-pin-differs sealpack image check daytona-runner --fleet "$work/other.Dockerfile" &&
    grep -q 'other.Dockerfile:2: .*gh 2.101.0.*2.100.0' "$work/fails.out"
}
row "--fleet names the pin that another fleet's Dockerfile has at another version" fleet

# --- the build -------------------------------------------------------------------------------------------------------
unreachable() { fails_with vendor.archive-unreachable sealpack fetch packs/paperclip-runner --to "$vendor" --cache "$cache"; }
curl -fsS -o /dev/null -m 10 https://downloads.cursor.com 2>/dev/null || row 'an archive that this machine cannot reach is named' unreachable
installed_fetch() {
  sealpack fetch packs/paperclip-runner --to "$work/installed" --cache "$cache" >"$work/installed.out" && grep -q 'paperclip-runnerd: left out' "$work/installed.out"
}
row 'an installed sealpack fills a folder, and says that it cannot make runnerd' installed_fetch
row 'fetch fills the vendored folder, with the archives left out that are named' \
  checkout fetch packs/paperclip-runner --to "$vendor" --cache "$cache" --without cursor --without gh --source-revision "$revision"
[ -f $vendor/sealpack.mjs ] || die 'a vendored folder'
row 'a second fetch needs no network' unshare -n "$node24" "$root/src/cli/main.ts" \
  fetch packs/paperclip-runner --to "$vendor" --cache "$cache" --without cursor --without gh --source-revision "$revision" --offline
row 'the ID is the same with the folder filled' test "$(id_of)" = "$id"
row 'the tool is the same bytes, bundled in the checkout and taken from the installed package' cmp "$work/installed/sealpack.mjs" $vendor/sealpack.mjs
rm -rf "$work/installed"

wrong_id() {
  ! DOCKER_BUILDKIT=0 docker build --network none -f $image/Dockerfile "${docker_arguments[@]}" --build-arg "PAPERCLIP_RUNNER_CONTENT_ID=$id" . >"$work/wrong.out" 2>&1 &&
    grep -q 'expected PAPERCLIP_RUNNER_CONTENT_ID=' "$work/wrong.out"
}
row 'a build that is given the ID of another base stops, with the right one' wrong_id

build() { DOCKER_BUILDKIT=0 checkout image build daytona-runner --base "$base" "${arguments[@]}" --tag "$built_name" --push "$@"; }
first() { build --source-revision "$revision" --manifest-out "$work/classic.json" >"$work/first.ref" && grep -qx "$built_name@sha256:[0-9a-f]\{64\}" "$work/first.ref"; }
row 'image build: the classic builder, without a network, pushed; prints the reference by digest' first
[ -s "$work/first.ref" ] || die 'an image to look at'
built=$(cat "$work/first.ref")

second() {
  git commit -q --allow-empty --no-gpg-sign -m 'no input' &&
    build --manifest-out "$work/adopted.json" >"$work/second.ref" 2>"$work/second.log" &&
    cmp "$work/first.ref" "$work/second.ref" && cmp "$work/classic.json" "$work/adopted.json" && grep -q 'nothing was built' "$work/second.log"
}
row 'a commit that changes no input: the existing tag is adopted, nothing is built' second

never_over() {
  local other=$registry/sealpack/accept-$$-taken:e2e
  docker tag "$base" "$other" 2>/dev/null && docker push -q "$other" >/dev/null || return 1
  fails_with image.built-label build --tag "$other"
  local status=$?
  docker rmi "$other" >/dev/null
  return $status
}
row 'a tag that holds something else is an error, never built over' never_over

buildkit() {
  local given
  given=$(sealpack image id daytona-runner --build-arg "PAPERCLIP_RUNNER_BASE_IMAGE=$base" "${arguments[@]}")
  tail -n +2 $image/Dockerfile >"$work/Dockerfile.plain"
  DOCKER_BUILDKIT=1 /usr/bin/docker build --network none -f "$work/Dockerfile.plain" -t "$built_name:buildkit" "${docker_arguments[@]}" \
    --build-arg "PAPERCLIP_RUNNER_CONTENT_ID=$given" . &&
    docker run --rm --network none "$built_name:buildkit" cat /opt/paperclip-runner/provider-pack/sealpack.json >"$work/buildkit.json" &&
    cmp "$work/buildkit.json" "$work/classic.json"
}
row "BuildKit, the engine's own, from a copy without the syntax line: the same manifest, byte for byte" buildkit

outside() {
  git checkout -q "$revision" && sealpack build packs/paperclip-runner --target linux-x64 --out "$work/outside/pack" --cache "$cache" --offline >/dev/null &&
    cmp "$work/outside/pack/sealpack.json" "$work/classic.json"
}
mkdir "$work/outside"
row 'both are the manifest of the pack that is built outside' outside

row 'the whole pack in the image verifies against that manifest' docker run --rm --network none --read-only \
  -v "$PWD/$vendor:/vendor:ro" -v "$work/classic.json:/trusted.json:ro" "$built" \
  /vendor/node /vendor/sealpack.mjs verify /opt/paperclip-runner/provider-pack --manifest /trusted.json

runnerd() {
  docker run --rm --network none --entrypoint paperclip-runnerd "$built" --build-metadata >"$work/metadata.json" &&
    [ "$(jq -rc '[.sourceRevision, (.prpTransportModes | sort)]' "$work/metadata.json")" = "[\"$revision\",[\"dial_ws_loopback\",\"dial_wss\",\"listen_ws\"]]" ]
}
row 'paperclip-runnerd --build-metadata advertises its three modes, and the commit' runnerd

jq -r '.payload.commands | to_entries[] | "\(.key)\t\(.value.version)"' "$work/classic.json" >"$work/commands"
printf 'gemini\t0.60.0\nkimi\t2.0.2\ngrok\t1.0.41\n' >>"$work/commands"
answers() {
  local command version
  while IFS=$'\t' read -r command version; do
    docker run --rm --network none --user 65534:65534 --read-only --tmpfs /tmp:noexec,mode=1777 "$built" \
      sh -c 'export HOME=/tmp/h; mkdir "$HOME"; "$@"' sh "$@" "$command --version" >"$work/answer" 2>&1
    grep -qF -- "$version" "$work/answer" || { printf '%s: expected %s\n' "$command" "$version" && cat "$work/answer" && return 1; }
  done <"$work/commands"
}
row 'every command answers with its version as an unprivileged user, read-only root, noexec /tmp: sh -c' answers sh -c
row 'the same: bash -c' answers bash -c
row 'the same: env -i sh -c, with nothing but a home' answers env -i HOME=/tmp/h sh -c

config() {
  docker image inspect --format '{{json .Config.Entrypoint}} {{json .Config.Cmd}} {{json .Config.User}} {{json .Config.Env}}' "$base" "$built" | uniq | wc -l | grep -qx 1 &&
    [ "$(docker image inspect --format '{{index .Config.Labels "com.paperclip.runner.source-revision"}}' "$built")" = "$revision" ]
}
row "ENTRYPOINT, CMD, USER and ENV are the base's; the labels are there" config

profiles() {
  local script='cat /etc/profile /etc/profile.d/* /etc/bash.bashrc /etc/environment /root/.profile /root/.bashrc 2>/dev/null | sha256sum'
  [ "$(docker run --rm --network none "$base" sh -c "$script")" = "$(docker run --rm --network none "$built" sh -c "$script")" ]
}
row 'no login profile and no rc file is changed' profiles

owned() {
  docker run --rm --network none "$built" sh -c 'find /opt/paperclip-runner \( ! -user root -o -perm /022 \) ! -type l | head; find /usr/local/bin -type l ! -user root' >"$work/owned" && [ ! -s "$work/owned" ] &&
    ! docker run --rm --network none --user 65534 "$built" sh -c 'touch /opt/paperclip-runner/provider-pack/x 2>/dev/null'
}
row 'the pack is root-owned, and nobody else can write to it' owned

finish
