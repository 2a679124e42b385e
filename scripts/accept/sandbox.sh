#!/bin/sh
# Everything that issue 4 asks to be shown, on this machine: the drivers' suite and the probe in real containers, over a real sshd on
# loopback and over each SDK's shape; the install flow; services; and the SDKs' own types. As root. What cannot run fails.
#
# Needs: docker.io debootstrap docker-registry openssh-server openssh-client tcsh curl
#        and, for the SDKs' types, the npm registry (SEALPACK_SKIP_SDK_TYPES=1 leaves them out, and says so).
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root"
PATH=$root/node_modules/.bin:$PATH
export PATH

had_engine=yes
scripts/docker/engine.sh status || had_engine=no
finish() {
  if [ "$had_engine" = no ]; then
    scripts/docker/base.sh stop
    scripts/docker/engine.sh stop
  fi
}
trap finish EXIT

DOCKER_HOST=$(scripts/docker/engine.sh start)
export DOCKER_HOST

vitest run --project unit test/sandbox
vitest run --project docker test/sandbox
vitest run --project ssh test/sandbox
if [ "${SEALPACK_SKIP_SDK_TYPES:-}" = 1 ]; then
  echo "sandbox.sh: the SDKs' types were NOT checked (SEALPACK_SKIP_SDK_TYPES=1)" >&2
else
  npm run --silent test:sdk-types
fi

# The command line, as an owner uses it.
box=sealpack-accept-$$
docker run -d --init --name "$box" --network none "$(scripts/docker/base.sh)" sleep 600 >/dev/null
trap 'docker rm -f "$box" >/dev/null; finish' EXIT
sealpack() { node src/cli/main.ts "$@"; }

code=0
sealpack probe "docker:$box" --commands codex || code=$?
[ "$code" = 1 ] || { echo "sandbox.sh: expected exit 1 for a box without codex, got $code" >&2; exit 1; }
sealpack ensure "docker:$box" codex --install 'ln -s /bin/true /usr/local/bin/codex'
sealpack ensure "docker:$box" node --install "printf '#!/bin/sh\necho v24.21.0\n' >/usr/local/bin/node && chmod 755 /usr/local/bin/node"
sealpack probe "docker:$box" --commands codex

left=$(docker exec "$box" sh -c 'ls -A /tmp')
[ -z "$left" ] || { echo "sandbox.sh: left in /tmp: $left" >&2; exit 1; }
echo "sandbox.sh: accepted"
