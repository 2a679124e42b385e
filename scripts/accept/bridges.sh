#!/usr/bin/env bash
# The bridges shown from outside, from a sealed pack built by the installed tarball: the same bytes in two places, real CLIs against mock
# providers with nothing but loopback, fifty kills of each bridge, runnerd over its three modes. Needs root, unshare, ip, jq, ss, and npm's
# registry or a filled cache. SEALPACK_PACK names a pack that is built already.
# shellcheck source=scripts/accept/lib.sh
. "$(dirname "$0")/lib.sh"

target=linux-x64
for tool in jq unshare ip git; do command -v "$tool" >/dev/null || die "the tool $tool is installed"; done
[ "$(id -u)" -eq 0 ] || die 'running as root'

project=$work/project
node=$node24
install_tarball "$project" "$node24"
pack_repository "$work/repository" "$root/packs/paperclip-runner"
build() { sealpack build "$work/repository/packs/paperclip-runner" --target $target --out "$1" --cache "$cache" "${@:2}"; }
pack=${SEALPACK_PACK:-$work/first/pack}
[ -n "${SEALPACK_PACK:-}" ] || row 'the pack builds from the installed tarball, its bridges compiled' build "$pack"
[ -f "$pack/sealpack.json" ] || die 'a pack to look at'
manifest=$pack/sealpack.json

# --- bundling ----------------------------------------------------------------------------------------------------------
bridges='{"acpx-sidecar":"dist/cli/acpx-runtime-sidecar.cjs","grok-launcher":"dist/providers/grok/launcher.cjs","opencode-proxy":"dist/cli/opencode-app-server-proxy.cjs"}'
at_their_paths() {
  jq -e --argjson paths "$bridges" '[.payload.bridges | to_entries[] | select(.value.path | startswith("dist/")) | {key, value: .value.path}]
    | from_entries == $paths' "$manifest"
}
row 'the three bridges stand where released controllers look for them' at_their_paths
digests_hold() {
  jq -r '.payload.bridges[] | select(.path | startswith("dist/")) | "\(.sha256)  \(.path)"' "$manifest" | (cd "$pack" && sha256sum -c --quiet)
}
row 'their digests are those of their files' digests_hold
twice() {
  build "$work/a deeper place/second" --offline --no-exercise &&
    diff <(jq -S .payload.bridges "$manifest") <(jq -S .payload.bridges "$work/a deeper place/second/sealpack.json")
}
[ -n "${SEALPACK_PACK:-}" ] || row 'built in another place they are byte for byte the same' twice
no_paths() { ! grep -lE "$work|$root|$HOME/" "$pack"/dist/cli/*.cjs "$pack"/dist/providers/grok/*.cjs; }
row 'no path of this machine is in them' no_paths
licences() { local name; for name in acp:@agentclientprotocol/sdk zod:zod; do grep -q "^// ${name#*:} " "$pack/dist/cli/opencode-app-server-proxy.cjs" || return 1; done; }
row 'the licences of what went in are kept' licences

# --- real executables, with nothing but loopback -----------------------------------------------------------------------
cut() { unshare -n sh -c 'ip link set lo up && exec "$@"' sh "$@"; }
qualify() { cut "$node24" "$project/node_modules/sealpack/dist/cli/main.js" qualify "$pack" "$1" --json >"$work/report.$1.json"; }
for subject in opencode claude-agent-acp codex-acp acpx; do
  row "$subject qualifies against mock providers" qualify "$subject"
  jq -r '.subjects[] | .name as $s | .checks[] | "    \(.status)  \($s): \(.name)"' "$work/report.$subject.json" 2>/dev/null
done
cut_off() { jq -e '.network == "loopback" and .spentUsd == 0' "$work"/report.*.json; }
row 'nothing but loopback was in reach, and nothing was paid for' cut_off
unchanged() { sealpack verify "$pack" --manifest "$manifest"; }
row 'no byte of the pack changed' unchanged
impostor() {
  printf '#!/bin/sh\necho 1.18.32\n' >"$work/impostor" && chmod 755 "$work/impostor"
  ! (export PAPERCLIP_TEST_OPENCODE_BINARY=$work/impostor; qualify opencode) &&
    jq -e '.subjects[0].checks[0] | .status == "failed" and .code == "bridges.opencode-not-started"' "$work/report.opencode.json"
}
row 'an impostor that prints 1.18.32 does not qualify' impostor

# --- kills -------------------------------------------------------------------------------------------------------------
# SEALPACK_KILLS: how often each bridge is killed; fewer only where time is short, and the row says how many.
times=${SEALPACK_KILLS:-50}
kills() { "$node24" "$root/scripts/accept/kill-bridge.ts" "$pack" "$1" "$times" 20260930; }
for bridge in opencode-proxy acpx-sidecar runnerd; do
  row "$bridge killed at $times seeded moments leaves no process, no port and no file" kills "$bridge"
done

# --- runnerd -----------------------------------------------------------------------------------------------------------
runnerd=$work/paperclip-runnerd
bundle() { "$node24" "$root/scripts/bundle-runnerd.ts" "$1" 0123456789abcdef0123456789abcdef01234567; }
row 'runnerd is made as one file' bundle "$runnerd"
same_runnerd() { bundle "$work/elsewhere/runnerd" && cmp "$runnerd" "$work/elsewhere/runnerd"; }
row 'and in another place as the same bytes' same_runnerd
metadata() {
  PATH=$(dirname "$node24"):$PATH "$runnerd" --build-metadata | jq -e '.schema == "paperclip-runner/runnerd-build-metadata/v1"
    and .binaryName == "paperclip-runnerd" and .binaryContractVersion == 2
    and .sourceRevision == "0123456789abcdef0123456789abcdef01234567"
    and .prpTransportModes == ["dial_ws_loopback", "dial_wss", "listen_ws"]'
}
row 'it advertises exactly its three modes' metadata
flood() { "$node24" "$root/scripts/accept/flood-runnerd.ts" "$pack" "$runnerd"; }
row '100 MB through stdout to a slow reader, in bounded memory' flood

finish
