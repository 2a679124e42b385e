#!/bin/sh
# A Debian bookworm base image for the tests, with a digest, without pulling any image: debootstrap, import, push to a
# registry on loopback. Needs a running engine (engine.sh start) and, the first time, Debian's package archive.
#
#   base.sh            make it (or find it made) and print its reference, 127.0.0.1:<port>/sealpack/base@sha256:<digest>
#   base.sh registry   start the registry (or find it running) and print 127.0.0.1:<port>
#   base.sh stop       end the registry
#
# SEALPACK_BASE_DIR  where the archive, the registry's store and its log live (default ${TMPDIR:-/tmp}/sealpack-base)
# DOCKER_HOST        the engine (default: engine.sh's)
#
# What is made is kept between runs; remove the directory to make it anew. The port is kept too, so that the reference
# stays the same. Beyond Debian's minimal set it has what the tests' variations are cut from.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
dir=${SEALPACK_BASE_DIR:-${TMPDIR:-/tmp}/sealpack-base}
packages=busybox-static,openssl,tcsh
name=sealpack/base
DOCKER_HOST=${DOCKER_HOST:-$("$here/engine.sh" host)}
export DOCKER_HOST

fail() {
  printf 'base.sh: %s\n' "$1" >&2
  exit 3
}

check_host() {
  [ "$(id -u)" = 0 ] || fail "expected root, got user $(id -un). Run it as root."
  for tool in debootstrap docker docker-registry curl; do
    command -v "$tool" >/dev/null || fail "expected $tool on PATH, got none. Install it: apt-get install debootstrap docker.io docker-registry curl"
  done
  docker version >/dev/null 2>&1 || fail "expected a Docker engine at $DOCKER_HOST, got none. Start it: $here/engine.sh start"
}

# Written beside, then renamed: an archive that exists is whole.
bootstrap() {
  [ ! -s "$dir/base.tar" ] || return 0
  rm -rf "$dir/root" "$dir/base.tar.part"
  debootstrap --variant=minbase --include="$packages" bookworm "$dir/root" >"$dir/debootstrap.log" 2>&1 || {
    tail -n 20 "$dir/debootstrap.log" >&2
    fail "expected debootstrap to finish, got an error. Its log: $dir/debootstrap.log"
  }
  rm -rf "$dir"/root/var/cache/apt/archives/*.deb "$dir"/root/var/lib/apt/lists/* "$dir"/root/var/log/*
  tar -C "$dir/root" --sort=name --mtime=@0 --numeric-owner --exclude=./dev/* --exclude=./proc/* -cf "$dir/base.tar.part" .
  mv "$dir/base.tar.part" "$dir/base.tar"
  rm -rf "$dir/root"
}

registry_pid() {
  [ -s "$dir/registry.pid" ] || return 1
  pid=$(cat "$dir/registry.pid")
  tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -- "$dir/registry.yml" || return 1
  printf '%s\n' "$pid"
}

registry_answers() {
  curl --noproxy '*' -fsS -o /dev/null -m 5 "http://127.0.0.1:$1/v2/" 2>/dev/null
}

launch_registry() {
  cat >"$dir/registry.yml" <<YML
version: 0.1
log: { level: warn, accesslog: { disabled: true } }
storage: { filesystem: { rootdirectory: $dir/registry } }
http: { addr: "127.0.0.1:$1" }
YML
  setsid env -i PATH="$PATH" HOME="$dir" docker-registry serve "$dir/registry.yml" </dev/null >>"$dir/registry.log" 2>&1 8>&- &
  pid=$!
  printf '%s\n' "$pid" >"$dir/registry.pid"
  tries=0
  while kill -0 "$pid" 2>/dev/null && [ "$tries" -lt 100 ]; do
    if registry_answers "$1" && registry_pid >/dev/null; then return 0; fi
    tries=$((tries + 1))
    sleep 0.1
  done
  return 1
}

# The port of the last time first, then random ones: a port can be taken by somebody else.
registry() {
  if registry_pid >/dev/null && registry_answers "$(cat "$dir/registry.port")"; then return 0; fi
  for port in $(cat "$dir/registry.port" 2>/dev/null || :) $(shuf -i 20000-29999 -n 5); do
    if launch_registry "$port"; then
      printf '%s\n' "$port" >"$dir/registry.port"
      return 0
    fi
  done
  fail "expected a registry on loopback, got none. Its log: $dir/registry.log"
}

# The digest that the registry gives is asked for, not remembered: the reference must be one that can be used now.
publish() {
  repository=127.0.0.1:$(cat "$dir/registry.port")/$name
  if [ -s "$dir/base.digest" ] && docker image inspect "$repository@$(cat "$dir/base.digest")" >/dev/null 2>&1 &&
    curl --noproxy '*' -fsS -o /dev/null -m 5 "http://${repository%%/*}/v2/$name/manifests/$(cat "$dir/base.digest")" \
      -H 'Accept: application/vnd.docker.distribution.manifest.v2+json' 2>/dev/null; then
    return 0
  fi
  docker import --change 'CMD ["/bin/sh"]' --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
    "$dir/base.tar" "$repository:latest" >/dev/null
  docker push -q "$repository:latest" >/dev/null
  docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$repository:latest" |
    sed -n "s|^$repository@||p" | head -n 1 >"$dir/base.digest"
  [ -s "$dir/base.digest" ] || fail "expected a digest for $repository:latest, got none"
}

stop() {
  pid=$(registry_pid) || return 0
  kill "$pid"
}

locked() {
  mkdir -p "$dir"
  exec 8>"$dir/lock"
  flock 8
}

case "${1:-}" in
  '')
    check_host
    locked
    bootstrap
    registry
    publish
    printf '127.0.0.1:%s/%s@%s\n' "$(cat "$dir/registry.port")" "$name" "$(cat "$dir/base.digest")"
    ;;
  registry)
    check_host
    locked
    registry
    printf '127.0.0.1:%s\n' "$(cat "$dir/registry.port")"
    ;;
  stop) stop ;;
  *)
    printf 'usage: base.sh [registry|stop]\n' >&2
    exit 2
    ;;
esac
