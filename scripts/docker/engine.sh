#!/bin/sh
# A Docker engine of our own for the tests: started by hand as root, no network set-up, everything below one directory.
#
#   engine.sh start    start it (or find it running) and print its DOCKER_HOST
#   engine.sh stop     end it, and with it every container it runs
#   engine.sh status   exit 0 if it answers
#   engine.sh host     print its DOCKER_HOST without starting it
#
# SEALPACK_DOCKER_DIR  where its data, socket, pid file and log live (default ${TMPDIR:-/tmp}/sealpack-docker)
#
# There is no bridge and no iptables rule, so a container runs with `--network none` (or `host`), and so does a build.
set -eu

dir=${SEALPACK_DOCKER_DIR:-${TMPDIR:-/tmp}/sealpack-docker}
host=unix://$dir/docker.sock
need_kib=4194304

fail() {
  printf 'engine.sh: %s\n' "$1" >&2
  exit 3
}

answers() {
  docker -H "$host" version --format '{{.Server.Version}}' >/dev/null 2>&1
}

# The pid file is believed only while that process is a dockerd on our directory: pids are reused.
running_pid() {
  [ -s "$dir/dockerd.pid" ] || return 1
  pid=$(cat "$dir/dockerd.pid")
  tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -- "--data-root $dir/data" || return 1
  printf '%s\n' "$pid"
}

check_host() {
  [ "$(id -u)" = 0 ] || fail "expected root, got user $(id -un). Run it as root."
  for tool in dockerd docker; do
    command -v "$tool" >/dev/null || fail "expected $tool on PATH, got none. Install it: apt-get install docker.io"
  done
  mkdir -p "$dir"
  chmod 711 "$dir"
  free=$(df -Pk "$dir" | awk 'NR==2{print $4}')
  [ "$free" -ge "$need_kib" ] || fail "expected $need_kib KiB free in $dir, got $free. Set SEALPACK_DOCKER_DIR."
}

launch() {
  # Its own session, no stdin and no inherited descriptors but the log: the caller may end at once. The variables that a
  # registry's or a proxy's owner has set are nothing to an engine that pulls only from loopback.
  setsid env -i PATH="$PATH" HOME="$dir" \
    dockerd --host "$host" --data-root "$dir/data" --exec-root "$dir/exec" --pidfile "$dir/dockerd.pid" \
    --config-file "$dir/daemon.json" --bridge=none --iptables=false --ip6tables=false --ip-forward=false \
    --ip-masq=false --userland-proxy=false --log-level=warn \
    </dev/null >>"$dir/dockerd.log" 2>&1 &
}

await() {
  tries=0
  until answers; do
    tries=$((tries + 1))
    if [ "$tries" -ge 300 ]; then
      tail -n 20 "$dir/dockerd.log" >&2
      fail "expected an engine that answers within 60 s, got none. Its log: $dir/dockerd.log"
    fi
    sleep 0.2
  done
}

start() {
  if ! answers; then
    check_host
    exec 9>"$dir/start.lock"
    flock 9
    if ! running_pid >/dev/null; then
      rm -f "$dir/dockerd.pid" "$dir/docker.sock"
      printf '{}\n' >"$dir/daemon.json"
      # The lock's descriptor must not outlive us in the engine.
      launch 9>&-
    fi
    await
    exec 9>&-
  fi
  printf '%s\n' "$host"
}

stop() {
  pid=$(running_pid) || return 0
  kill "$pid"
  tries=0
  while kill -0 "$pid" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 150 ] || fail "expected dockerd $pid to end within 30 s, got a running one"
    sleep 0.2
  done
}

case "${1:-}" in
  start) start ;;
  stop) stop ;;
  status) answers ;;
  host) printf '%s\n' "$host" ;;
  *)
    printf 'usage: engine.sh start|stop|status|host\n' >&2
    exit 2
    ;;
esac
