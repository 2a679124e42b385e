#!/usr/bin/env bash
# Admission shown from outside, on the installed tarball and the real pack, in real containers without a network: the decision, what
# the controller's side executes, what staging moves, the example controller, every attack, and the bench's bounds.
# Needs root, docker.io, debootstrap, docker-registry, strace, jq, git and npm's registry. SEALPACK_TEST_PACK names a built release pack.
# shellcheck source=scripts/accept/lib.sh
. "$(dirname "$0")/lib.sh"

for tool in strace jq git docker; do command -v "$tool" >/dev/null || die "the tool $tool is installed"; done
[ "$(id -u)" -eq 0 ] || die 'running as root'
had_engine=yes
"$root/scripts/docker/engine.sh" status || had_engine=no
DOCKER_HOST=$("$root/scripts/docker/engine.sh" start) || die 'a Docker engine'
export DOCKER_HOST
base=$("$root/scripts/docker/base.sh") || die 'a base image'

boxes=()
images=()
finish_docker() {
  for box in "${boxes[@]}"; do docker rm -f "$box" >/dev/null 2>&1; done
  for image in "${images[@]}"; do docker rmi -f "$image" >/dev/null 2>&1; done
  [ "$had_engine" = yes ] || { "$root/scripts/docker/base.sh" stop; "$root/scripts/docker/engine.sh" stop; }
  cleanup
}
trap finish_docker EXIT

project=$work/project
node=$node24
install_tarball "$project" "$node24"
pack=${SEALPACK_TEST_PACK:-}
if [ -z "$pack" ]; then
  pack_repository "$work/repository" "$root/packs/paperclip-runner"
  pack=$work/pack
  sealpack build "$work/repository/packs/paperclip-runner" --out "$pack" --cache "$cache" >"$work/build.out" 2>&1 ||
    { cat "$work/build.out"; die 'a real pack to admit'; }
fi
export SEALPACK_TEST_PACK=$pack
place=/opt/paperclip-runner/provider-pack
codex=$(jq -r .payload.commands.codex.executable.path "$pack/sealpack.json")

# new_box <name> <image> <script as root>: a container whose user is `agent`.
new_box() {
  docker run -d --init --name "$1" --network none -u agent "$2" sh -c 'while :;do sleep 1000;done' >/dev/null && boxes+=("$1") &&
    docker exec -u 0 "$1" sh -c "$3"
}

# --- images: with the pack, and with one CLI of it a version older -----------------------------------------------------
maker=sealpack-accept-maker-$$
docker run -d --init --name "$maker" --network none "$base" sleep 3600 >/dev/null && boxes+=("$maker") || die 'a container'
docker exec "$maker" sh -c 'useradd -m -u 1000 agent; mkdir -p /opt/paperclip-runner' || die 'a user'
docker commit "$maker" "sealpack-accept-bare-$$" >/dev/null && images+=("sealpack-accept-bare-$$")
docker cp -q "$pack/." "$maker:$place" && docker exec "$maker" chown -R 0:0 "$place" || die 'the pack in an image'
docker commit "$maker" "sealpack-accept-packed-$$" >/dev/null && images+=("sealpack-accept-packed-$$")

sound=sealpack-accept-sound-$$
older=sealpack-accept-older-$$
bare=sealpack-accept-bare-$$
new_box "$sound" "sealpack-accept-packed-$$" : || die 'a container with the pack'
new_box "$older" "sealpack-accept-packed-$$" "head -c 1000000 /dev/urandom >$place/$codex" || die 'a container with an older CLI'
new_box "$bare" "sealpack-accept-bare-$$" : || die 'a container without a pack'

# --- the decision ------------------------------------------------------------------------------------------------------
admits() { sealpack admit "docker:$sound" --pack "$pack" --commands codex,claude --json >"$work/admit.json"; }
row 'the installed tarball admits the preinstalled pack' admits
is_preinstalled() { jq -e --arg root "$place" '.decision == "preinstalled" and .root == $root and .trust == "protected"' "$work/admit.json"; }
row 'it is preinstalled, at its place, and protected' is_preinstalled
runs_codex() {
  local -a set=()
  mapfile -t set < <(jq -r '.environment | to_entries[] | "-e", "\(.key)=\(.value)"' "$work/admit.json")
  [ "$(docker exec "${set[@]}" "$sound" "$(jq -r .commands.codex "$work/admit.json")" --version)" = \
    "$(jq -r .payload.commands.codex.version "$pack/sealpack.json")" ]
}
row 'its codex runs in the environment that the answer gives' runs_codex
by_variable() { PAPERCLIP_RUNNER_REMOTE_PROVIDER_PACK_PATH=$pack sealpack admit "docker:$sound" --json | jq -e '.decision == "preinstalled"'; }
row 'PAPERCLIP_RUNNER_REMOTE_PROVIDER_PACK_PATH stands in for --pack' by_variable
by_manifest() { sealpack admit "docker:$sound" --manifest "$pack/sealpack.json"; }
row 'a manifest alone is enough to decide' by_manifest
one_exec() {
  local since until
  since=$(date +%s.%N) && by_manifest && until=$(date +%s.%N)
  [ "$(docker events --since "$since" --until "$until" --filter "container=$sound" --format '{{.Action}}' | grep -c '^exec_start')" = 1 ]
}
row 'one exec decides' one_exec
row 'without a pack it refuses: admission.no-pack' fails_with admission.no-pack sealpack admit "docker:$bare" --pack "$pack"
row 'an older CLI is refused by name' fails_with "tree.size  $place/$codex" sealpack admit "docker:$older" --pack "$pack"
row 'a denied image is refused' fails_with admission.image-denied \
  sealpack admit "docker:$sound" --pack "$pack" --image registry.test/paperclip-runner-e2e-20260826-v2:1
row 'no image where one is required is refused' fails_with admission.image-unknown \
  sealpack admit "docker:$sound" --pack "$pack" --policy require-image

# The controller's side starts docker and nothing else; above all nothing of a pack.
starts_nothing() {
  strace -f -qq -e trace=execve -o "$work/strace" "$node24" "$project/node_modules/sealpack/dist/cli/main.js" \
    admit "docker:$sound" --pack "$pack" --json >/dev/null || return 1
  grep -E 'execve\(.* = 0$' "$work/strace" | sed 's/^[0-9]* *execve("//; s/".*//' | sort -u | tee "$work/executed"
  [ -s "$work/executed" ] && ! grep -qF "$pack" "$work/executed" && ! grep -vqE "^($node24|.*/docker)$" "$work/executed"
}
row 'strace: an admission executes nothing of a pack on this side' starts_nothing

# --- staging -----------------------------------------------------------------------------------------------------------
stages_one() { sealpack stage "docker:$older" --pack "$pack" --json >"$work/stage.json"; }
row 'one CLI changed: staged' stages_one
moved_little() {
  local allowed
  allowed=$("$node24" -e 'const z=require("zlib"),f=require("fs");process.stdout.write(String(Math.floor(z.zstdCompressSync(f.readFileSync(process.argv[1])).length*1.05)))' "$pack/$codex")
  jq -e --argjson allowed "$allowed" '.report.staging | .bytesSent <= $allowed and .filesSent == 1' "$work/stage.json"
}
row 'it moved at most 1.05 times that CLI, compressed, and one file' moved_little
stages_all() { sealpack admit "docker:$bare" --pack "$pack" --stage --json >"$work/all.json"; }
row 'nothing there: all of it is staged' stages_all
staged_sound() {
  local at
  at=$(jq -r .root "$work/all.json")
  docker exec "$bare" sh -c "cd '$at' && awk -F'\t' '\$1~/^[fx]\$/{print \$3\"  \"\$4}' sealpack.tree | sha256sum -c --quiet" &&
    [ -z "$(docker exec "$bare" sh -c "find / -xdev -name '.staging-*' 2>/dev/null")" ]
}
row 'sha256sum finds what was staged sound, and nothing is left beside it' staged_sound

# --- one file, the example, the attacks, the bench -----------------------------------------------------------------------
bundled() {
  printf 'import { admit, dockerSandbox } from "sealpack/admission";\nconst { decision } = await admit({ sandbox: dockerSandbox(process.argv[2]), expected: process.argv[3], commands: [] });\nconsole.log(decision);\n' \
    >"$project/one.mjs"
  "$root/node_modules/.bin/esbuild" "$project/one.mjs" --bundle --platform=node --format=esm --outfile="$work/one.mjs" --log-level=error &&
    [ "$("$node24" "$work/one.mjs" "$sound" "$pack")" = preinstalled ]
}
row 'bundled into a single file it decides the same' bundled
example() { "$node24" "$root/examples/controller.ts" "sealpack-accept-packed-$$" "$pack" | tee "$work/example" && grep -q '^codex-cli' "$work/example"; }
row 'the example controller leases, admits and runs codex' example
docker_tests() { (cd "$root" && PATH=$root/node_modules/.bin:$PATH vitest run --project docker test/admission test/attacks); }
row 'every attack, decision, mutation and staging in containers' docker_tests
bench() { "$node24" "$root/scripts/bench/admission.ts" "$sound" "$pack" agent; }
row 'the bench keeps its bounds' bench
cat "$work/row.out" | sed 's/^/    /'

finish
