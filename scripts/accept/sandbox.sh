#!/usr/bin/env bash
# The sandbox contract shown from outside, on the installed tarball, with coreutils, jq, strace, docker and sshd: real containers, one for
# each way to miss the contract; a real sshd on loopback with keys of its own; commands that are cut off, killed and flooded. Needs root,
# strace, jq, unshare, docker.io, debootstrap, docker-registry, curl, openssh-server and openssh-client. The engine is stopped only if it
# was started here.
# shellcheck source=scripts/accept/lib.sh
. "$(dirname "$0")/lib.sh"

for tool in strace jq unshare docker debootstrap docker-registry curl ssh ssh-agent ssh-keygen /usr/sbin/sshd dash; do
  command -v "$tool" >/dev/null || die "the tool $tool is installed"
done
[ "$(id -u)" -eq 0 ] || die 'running as root'

boxes=()
server=
agent=
had_engine=yes
"$root/scripts/docker/engine.sh" status || had_engine=no
cleanup() {
  [ "${#boxes[@]}" -eq 0 ] || docker rm -f "${boxes[@]}" >/dev/null 2>&1
  [ -z "${busybox:-}" ] || docker rmi "$busybox" >/dev/null 2>&1
  [ -z "$server" ] || kill "$server"
  [ -z "$agent" ] || kill "$agent"
  if [ "$had_engine" = no ]; then
    "$root/scripts/docker/base.sh" stop
    "$root/scripts/docker/engine.sh" stop
  fi
  rm -rf "$work"
}
DOCKER_HOST=$("$root/scripts/docker/engine.sh" start) || die 'a Docker engine'
export DOCKER_HOST
image=$("$root/scripts/docker/base.sh") || die 'a base image'
install_tarball "$work/project" "$node24"

# --- boxes ---------------------------------------------------------------------------------------------------------------
# make_box <name> <setup script> <docker run options…>: a container without a network; its full name is left in $box.
make_box() {
  local name=$1 setup=$2
  shift 2
  box=sealpack-accept-$$-$name
  boxes+=("$box")
  docker run -d --init --name "$box" --network none "$@" "${from:-$image}" /bin/sh -c 'while :; do sleep 1000; done' >/dev/null &&
    as_root "$box" "$setup"
}
as_root() { docker exec -u 0 "$1" /bin/sh -c "PATH=/usr/sbin:/usr/bin:/sbin:/bin;export PATH;$2"; }

# An unprivileged user, stubs of node and two CLIs on a PATH that is ready without any profile, and profiles that tell when they are read,
# print a banner and break PATH.
agent_setup='
useradd -m -u 1000 -s /bin/bash agent
mkdir -p /opt/tools /workspace /trap && chown agent: /workspace && chmod 777 /trap
for c in "node v24.21.0" "codex codex-cli 0.156.0" "claude 2.1.280"; do
  printf "#!/bin/sh\necho %s\n" "${c#* }" >/opt/tools/${c%% *}
done
chmod 755 /opt/tools/*
for f in /etc/profile /etc/bash.bashrc /home/agent/.profile /home/agent/.bash_profile /home/agent/.bashrc; do
  printf "echo Welcome to the box\n: >/trap/read\nPATH=/nowhere\nexport PATH\n" >$f
done
chown -R agent: /home/agent
'
tools=/opt/tools:/usr/local/bin:/usr/bin:/bin
agent_run=(-u 1000 -e HOME=/home/agent -e PATH=$tools)

# Every file of /etc, /root and /home, read without any tool of the box.
profiles_of() {
  local copy=$work/profiles directory
  rm -rf "$copy" && mkdir "$copy"
  for directory in etc root home; do docker cp "$1:/$directory" - 2>/dev/null | tar -xf - -C "$copy" 2>/dev/null; done
  (cd "$copy" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
}

# execs_of <box> <command…>: how many commands the engine started in the box while the command ran, into $execs; its exit into $code.
execs_of() {
  local name=$1 since
  shift
  since=$(date +%s.%N)
  "$@"
  code=$?
  execs=$(docker events --since "$since" --until "$(date +%s.%N)" --filter "container=$name" --format '{{.Action}}' |
    grep -c '^exec_start')
}

probe_json() { sealpack probe "docker:$box" --commands codex,claude --workspace /workspace --json "$@" >"$work/probe.json"; }

# probes <exit> <findings> <probe options…>: the box gives exactly these rows that are not ok, in one exec, and no file of its
# profiles differs afterwards.
probes() {
  local exit=$1 findings=$2
  shift 2
  profiles_of "$box" >"$work/before"
  execs_of "$box" probe_json "$@"
  jq -r '.rows[] | select(.state != "ok") | "\(.id)=\(.code)"' "$work/probe.json" | sort | xargs >"$work/found"
  printf 'exit %s, execs %s: %s\n' "$code" "$execs" "$(cat "$work/found")"
  [ "$code" -eq "$exit" ] && [ "$execs" -eq 1 ] && [ "$(cat "$work/found")" = "$findings" ] &&
    jq -e --argjson exit "$exit" '.exit == $exit and all(.rows[]; (.state == "ok") == (.remedy == null))' "$work/probe.json" &&
    profiles_of "$box" | cmp - "$work/before"
}
probe_box() {
  local name=$1 setup=$2 run=$3 exit=$4 findings=$5
  shift 5
  eval "make_box '$name' \"\$setup\" $run" && probes "$exit" "$findings" "$@"
}

agent='"${agent_run[@]}"'
row 'Debian with dash meets the contract' probe_box dash "$agent_setup" "$agent" 0 ''
dash_box=$box
row 'no profile was read' eval '[ -z "$(docker exec "$dash_box" ls /trap)" ]'
row 'the trap works: a login shell springs it' eval \
  'docker exec "$dash_box" bash -l -c : >/dev/null; docker exec "$dash_box" rm /trap/read'
row 'bash, declared, meets it' probes 0 '' --shell bash
row 'sh that is bash meets it' probe_box bash "$agent_setup ln -sf bash /bin/sh" "$agent" 0 ''
row 'bash declared and absent' probe_box nobash "$agent_setup rm /bin/bash" "$agent" 1 'shell:bash=sandbox.no-shell' --shell bash
row 'a box without bash, where none is declared, meets it' probes 0 ''
row 'without tar' probe_box notar "$agent_setup rm /bin/tar" "$agent" 1 'tar=sandbox.no-tar'
row 'read-only home' probe_box home "$agent_setup chown -R root: /home/agent; chmod -R a-w /home/agent" "$agent" 1 \
  'dir:cache=sandbox.not-writable dir:home=sandbox.not-writable'
row 'noexec /tmp is advice' probe_box noexec "$agent_setup" "$agent --tmpfs /tmp:noexec,mode=1777" 0 'exec:temp=sandbox.no-exec'
row 'a fake node early in PATH' probe_box node "$agent_setup mkdir /fake; printf '#!/bin/sh\necho ok\n' >/fake/node; chmod 755 /fake/node" \
  "-u 1000 -e HOME=/home/agent -e PATH=/fake:$tools" 1 \
  'command:node=sandbox.node-broken shadowed:node=sandbox.command-shadowed'
row 'a function named codex' probe_box function "$agent_setup ln -sf bash /bin/sh" \
  "$agent -e 'BASH_FUNC_codex%%=() { echo hi; }'" 1 'command:codex=sandbox.command-not-path' --shell bash
row 'PATH with a relative entry that has codex' probe_box relative "$agent_setup mkdir /workspace/bin; cp /opt/tools/codex /workspace/bin/" \
  "-u 1000 -e HOME=/home/agent -e PATH=bin:$tools -w /workspace" 1 \
  'command:codex=sandbox.command-not-path path=sandbox.relative-path-entry'
row 'no hash tool: could not be told, exit 3' probe_box nohash \
  "$agent_setup rm -f /usr/bin/openssl /usr/bin/sha256sum /bin/busybox /usr/bin/shasum" "$agent" 3 'hash=sandbox.no-hash-tool'

make_busybox() {
  as_root "$dash_box" 'mkdir -p /r/bin /r/tmp /r/root /r/etc /r/proc /r/workspace /r/home && cp /bin/busybox /r/bin/ &&
    for a in $(/bin/busybox --list);do [ $a = busybox ]||ln -s busybox /r/bin/$a;done
    echo root:x:0:0::/root:/bin/sh >/r/etc/passwd; chmod 1777 /r/tmp' &&
    busybox=sealpack-accept-busybox-$$ && docker cp "$dash_box:/r/." - | docker import - "$busybox" >/dev/null
}
row 'an image of nothing but busybox can be made' make_busybox
from=${busybox:-none} row 'busybox only: node and the CLIs are missing, the rest is met' probe_box busybox : '-e HOME=/root' 1 \
  'command:claude=sandbox.command-missing command:codex=sandbox.command-missing command:node=sandbox.command-missing user=sandbox.can-become-root'
busybox_box=$box
row 'an image without /bin/sh is not reached, exit 3, with the reason' eval \
  'docker exec "$busybox_box" /bin/busybox mv /bin/sh /bin/gone; fails_with sandbox.not-reached sealpack probe "docker:$busybox_box" &&
   [ "$(sealpack probe "docker:$busybox_box" --json 2>/dev/null | jq -r .error.exit)" = 3 ] && grep -E "^sealpack: .*/bin/sh" "$work/fails.out";
   status=$?; docker exec "$busybox_box" /bin/busybox mv /bin/gone /bin/sh; [ $status -eq 0 ]'
row 'a container that is not there is not reached' fails_with sandbox.not-reached sealpack probe "docker:no-such-box-$$"
row 'a target that names this host is a usage error' fails_with sandbox.bad-target sealpack probe local:here

# --- what the client is given, and what reaches the sandbox ----------------------------------------------------------------
# The installed drivers, called as a controller calls them. run_in <target> <options as JSON> <command…> prints the result as JSON.
cat >"$work/run.mjs" <<JS
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { openSandbox } from "$work/project/node_modules/sealpack/dist/sandbox/open-sandbox.js";
const [target, options, command, ...args] = process.argv.slice(2);
const { stdinFile, ...rest } = JSON.parse(options);
const stdin = stdinFile === undefined ? {} : { stdin: readFileSync(stdinFile) };
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
try {
  const { stdout, stderr, ...result } = await openSandbox(target).execute({ command, args, timeoutMs: 30000, ...stdin, ...rest });
  const text = Buffer.from(stdout.subarray(0, 4000)).toString("utf8");
  console.log(JSON.stringify({ ...result, bytes: stdout.length, sha256: sha256(stdout), stdout: text, stderr: stderr.length }));
} catch (error) {
  console.log(JSON.stringify({ code: error.code, exit: error.exit }));
}
JS
# The ssh client's configuration is the one of root's home, which only a mount namespace of our own gives.
in_namespace=(unshare -m --propagation private /bin/sh -c "mount --bind $work/sshd/passwd /etc/passwd && exec \"\$@\"" sh)
main=$work/project/node_modules/sealpack/dist/cli/main.js
client_of() { case $1 in ssh:*) client=("${in_namespace[@]}" "$node24") ;; *) client=("$node24") ;; esac; }
run_in() { client_of "$1" && timeout 100 "${client[@]}" "$work/run.mjs" "$@"; }
# gives <jq filter> <target> <options> <command…>: the result has what the filter asks for.
gives() {
  local filter=$1
  shift
  run_in "$@" >"$work/result.json"
  cut -c1-600 "$work/result.json"
  jq -e "$filter" "$work/result.json" >/dev/null
}

# --- sshd on loopback, its users in files that only its own mount namespace has in the place of the machine's -------------------
start_sshd() {
  local dir=$work/sshd name file tool port tries=0
  mkdir -p "$dir/bin" "$dir/home" "$dir/client/.ssh" && chmod 700 "$dir/client/.ssh"
  ssh-keygen -q -t ed25519 -N '' -f "$dir/host_key" && ssh-keygen -q -t ed25519 -N '' -f "$dir/client_key" || return 1
  printf '%s\n' "root:x:0:0::$dir/client:/bin/sh" 'sshd:x:105:65534::/run/sshd:/usr/sbin/nologin' \
    "dash:x:61500:61500::$dir/home/dash:/bin/dash" "bash:x:61501:61501::$dir/home/bash:/bin/bash" >"$dir/passwd"
  for name in dash bash; do
    mkdir -p "$dir/home/$name/.ssh" && cp "$dir/client_key.pub" "$dir/home/$name/.ssh/authorized_keys"
    for file in .profile .bash_profile .bashrc; do
      printf 'echo Welcome\n: >$HOME/read\nPATH=/nowhere\nexport PATH\n' >"$dir/home/$name/$file"
    done
  done
  chown -R 61500:61500 "$dir/home/dash" && chown -R 61501:61501 "$dir/home/bash"
  for tool in 'node v24.21.0' 'codex codex-cli 0.156.0'; do
    printf '#!/bin/sh\necho %s\n' "${tool#* }" >"$dir/bin/${tool%% *}" && chmod 755 "$dir/bin/${tool%% *}"
  done
  for port in $(shuf -i 20000-29999 -n 5); do
    printf '%s\n' "ListenAddress 127.0.0.1:$port" "HostKey $dir/host_key" 'AuthorizedKeysFile .ssh/authorized_keys' \
      'PasswordAuthentication no' 'KbdInteractiveAuthentication no' 'UsePAM no' 'StrictModes no' 'PidFile none' 'LogLevel ERROR' \
      'PrintMotd no' 'AcceptEnv *' "SetEnv PATH=$dir/bin:/usr/bin:/bin" >"$dir/sshd_config"
    "${in_namespace[@]}" /bin/sh -c "mount -t tmpfs tmpfs /run && mkdir /run/sshd && exec /usr/sbin/sshd -D -e -f $dir/sshd_config" \
      </dev/null >"$dir/log" 2>&1 &
    server=$!
    while kill -0 "$server" 2>/dev/null && [ "$tries" -lt 100 ]; do
      ssh-keyscan -T 2 -p "$port" 127.0.0.1 2>/dev/null >"$dir/known" && [ -s "$dir/known" ] && break 2
      tries=$((tries + 1)) && sleep 0.1
    done
    server=
  done
  [ -n "$server" ] || { cat "$dir/log"; return 1; }
  # As a user has it: a Host of the configuration, the host's key known, the user's key in an agent only.
  cp "$dir/known" "$dir/client/.ssh/known_hosts"
  printf 'Host box\n  HostName 127.0.0.1\n  Port %s\n  User dash\nHost *\n  SendEnv LANG LC_*\n' "$port" >"$dir/client/.ssh/config"
  eval "$(ssh-agent -s)" && agent=$SSH_AGENT_PID && ssh-add -q "$dir/client_key" && rm "$dir/client_key"
  ssh_port=$port
}
ssh_sealpack() { "${in_namespace[@]}" "$node24" "$main" "$@"; }
row 'sshd answers on loopback' start_sshd
[ -n "$server" ] || die 'an sshd to talk to'
homes_of() { find "$work/sshd/home" -type f -print0 | sort -z | xargs -0 sha256sum; }
homes_of >"$work/homes"

ssh_probe() {
  ssh_sealpack probe ssh:box --commands codex --workspace "$work/sshd/home/dash" --json >"$work/probe.json"
  [ $? -eq 0 ] && jq -e --arg path "$work/sshd/bin:/usr/bin:/bin" '.exit == 0 and .facts.path == $path' "$work/probe.json"
}
row 'ssh, a dash user, a Host of the configuration, a key of the agent: the contract is met' ssh_probe
row 'and no profile of that user was read' test ! -e "$work/sshd/home/dash/read"
ssh_broken() {
  ssh_sealpack probe "ssh:bash@127.0.0.1:$ssh_port" --commands codex --json >"$work/probe.json"
  [ $? -eq 1 ] && jq -e '.facts.path == "/nowhere" and any(.rows[]; .id == "command:codex" and .code == "sandbox.command-missing")' \
    "$work/probe.json" && rm "$work/sshd/home/bash/read"
}
row 'a bash user, whose .bashrc sshd reads: the PATH that it broke is reported, its banner is not' ssh_broken

# --- one round trip, and what is sent -----------------------------------------------------------------------------------------
# What programs the client starts, with their whole environments.
export SEALPACK_ACCEPT_MARKER=marker-$$-$RANDOM LC_SEALPACK=marker-$$-$RANDOM
marks=(-e "$SEALPACK_ACCEPT_MARKER" -e "$LC_SEALPACK")
# one_client <program> <target>
one_client() {
  client_of "$2"
  strace -f -qq -v -s 200000 -e trace=execve -e signal=none -o "$work/execve" "${client[@]}" "$main" probe "$2" >/dev/null
  grep -E "execve\(\"[^\"]*/$1\", .* = 0\$" "$work/execve" >"$work/clients"
  [ "$(wc -l <"$work/clients")" -eq 1 ] && grep -qF 'DOCKER_HOST=' "$work/clients" && ! grep -qF "${marks[@]}" "$work/clients"
}
row 'strace: a probe over docker is one client, which is given nothing that was not named' one_client docker "docker:$dash_box"
row 'strace: a probe over ssh too' one_client ssh ssh:box
nothing_arrives() {
  run_in "$1" '{"env":{"NAMED":"na med"}}' env | jq -r .stdout >"$work/env"
  grep -qxF 'NAMED=na med' "$work/env" && ! grep -qF "${marks[@]}" "$work/env"
}
row 'a named variable reaches a container, a marker in the environment does not' nothing_arrives "docker:$dash_box"
row 'nor a host behind ssh, whose configuration sends LC_*' nothing_arrives ssh:box

# --- commands, over both -----------------------------------------------------------------------------------------------------
head -c 200000 /dev/urandom >"$work/input"
printf '%s|' a\'b\"c $'x\ny' '$HOME `id`' '!!' '\n\' '' 'ü€' -n '*' >"$work/words"
# marked <value>: the command lines, here and in the boxes, of processes that carry MARK=<value>; those in a box are seen from outside.
marked() {
  local file
  for file in $(grep -ls "MARK=$1" /proc/[0-9]*/environ); do tr '\0' ' ' <"${file%/environ}/cmdline" && echo; done
}
none_left() {
  for _ in $(seq "$2"); do [ -n "$(marked "$1")" ] || return 0; sleep 1; done
  marked "$1"
  return 1
}
children_of() { cat /proc/"$1"/task/*/children 2>/dev/null; }
# started <mark> <target> <options> <command…>: the client in the background; returns once the command runs in the sandbox.
started() {
  local mark=$1
  shift
  client_of "$1"
  "${client[@]}" "$work/run.mjs" "$1" "$(jq -c --arg mark "$mark" '. + {env: {MARK: $mark}}' <<<"$2")" "${@:3}" >"$work/started.json" 2>&1 &
  runner=$!
  for _ in $(seq 100); do [ -n "$(marked "$mark")" ] && return; sleep 0.2; done
  return 1
}
# The client killed, all of it or only its Node: the watchdog in the sandbox ends the command when its time is up.
client_killed() {
  local mark=$RANDOM$RANDOM deadline=$((SECONDS + 14)) clients
  started "$mark" "$1" '{"timeoutMs":8000}' sh -c "trap '' TERM; setsid sleep 600 & yes & sleep 600" || return 1
  clients=$(children_of "$runner")
  [ -n "$clients" ] || return 1
  kill -9 "$runner"
  [ "$2" = node ] || kill -9 $clients
  wait "$runner" 2>/dev/null
  [ -n "$(marked "$mark")" ] && none_left "$mark" $((deadline - SECONDS)) && none_alive "$((deadline - SECONDS))" $clients
}
none_alive() {
  for _ in $(seq "$1"); do kill -0 "${@:2}" 2>/dev/null || return 0; sleep 1; done
  return 1
}
flood_ends() {
  local mark=$RANDOM$RANDOM
  gives '.timedOut and .stdoutTruncated and .bytes == 5000' "$1" '{"timeoutMs":2000,"maxOutputBytes":5000,"env":{"MARK":"'$mark'"}}' \
    sh -c 'yes >&2 & yes' && none_left "$mark" 4
}
straggler_ends() {
  local mark=$RANDOM$RANDOM
  gives '.exitCode == 0 and (.timedOut | not) and .stdout == "done\n"' "$1" '{"timeoutMs":4000,"env":{"MARK":"'$mark'"}}' \
    sh -c 'setsid sleep 600 & echo done' && [ -n "$(marked "$mark")" ] && none_left "$mark" 8
}
sum_is() { gives ".exitCode == 0 and (.stdout | startswith(\"$(sha256_of "$work/input")\"))" "$1" '{"stdinFile":"'"$work/input"'"}' sha256sum; }
words_are() {
  gives ".sha256 == \"$(sha256_of "$work/words")\"" "$1" '{}' printf '%s|' a\'b\"c $'x\ny' '$HOME `id`' '!!' '\n\' '' 'ü€' -n '*'
}
for target in "docker:$dash_box" "docker:$busybox_box" ssh:box; do
  over=${target/sealpack-accept-$$-/}
  row "$over: quotes, newlines, dollars, exclamation marks and empty words arrive" words_are "$target"
  row "$over: 200 KB of stdin arrive" sum_is "$target"
  row "$over: 50 MB of output: bounded, and said so; the exit is the command's own" gives \
    '.exitCode == 3 and .bytes == 100000 and .stdoutTruncated and (.timedOut | not)' "$target" '{"maxOutputBytes":100000}' \
    sh -c 'head -c 50000000 /dev/zero; exit 3'
  row "$over: binary output" gives ".sha256 == \"$(printf '\377\0\1\n' | sha256sum | cut -d' ' -f1)\"" "$target" '{}' printf '\377\000\001\n'
  row "$over: a command killed by a signal: 128 and its number" gives '.exitCode == 137' "$target" '{}' sh -c 'kill -9 $$'
  row "$over: endless output on both streams is ended at its time limit; nothing is left" flood_ends "$target"
  row "$over: a background process that outlives its command is ended at the time limit" straggler_ends "$target"
  row "$over: the client killed in the middle: nothing is left on either side" client_killed "$target" all
  row "$over: only the client's Node killed: the same" client_killed "$target" node
done

dies() {
  make_box dies : && started 1$RANDOM "docker:$box" '{}' sleep 600 && docker kill "$box" >/dev/null && wait "$runner"
  cat "$work/started.json"
  jq -e '.code == "sandbox.ended-early" and .exit == 3' "$work/started.json"
}
row 'a container that dies in the middle: ended early, not an exit code' dies
connection_cut() {
  local mark=$RANDOM$RANDOM deadline=$((SECONDS + 14)) session
  started "$mark" ssh:box '{"timeoutMs":8000}' sleep 600 || return 1
  for session in $(children_of "$server"); do kill -9 $(children_of "$session") "$session"; done
  wait "$runner"
  cat "$work/started.json"
  jq -e '.code == "sandbox.ended-early" and .exit == 3' "$work/started.json" && [ -n "$(marked "$mark")" ] &&
    none_left "$mark" $((deadline - SECONDS))
}
row 'an ssh connection cut in the middle: ended early; the command is ended on the other side' connection_cut

# --- the install flow --------------------------------------------------------------------------------------------------------
install='echo run >>/runs; sleep 2; printf "#!/bin/sh\n" >/tmp/new; chmod 755 /tmp/new; mv /tmp/new /usr/local/bin/gemini; echo was installed'
runs_are() { [ "$(docker exec "$box" wc -l </dev/null /runs | cut -d' ' -f1)" = "$1" ]; }
ensure() { sealpack ensure "docker:$box" gemini --json "$@"; }
two_at_once() {
  make_box ensure "$agent_setup" -e PATH=$tools && profiles_of "$box" >"$work/before" || return 1
  ensure --install "$install" >"$work/one.json" 2>"$work/one.err" &
  ensure --install "$install" >"$work/two.json" 2>"$work/two.err" && wait $! || return 1
  cat "$work/one.err" "$work/two.err"
  jq -rs 'map("\(.path) \(.state)") | sort | join(",")' "$work/one.json" "$work/two.json" >"$work/states"
  grep -qxF '/usr/local/bin/gemini installed,/usr/local/bin/gemini present' "$work/states" && runs_are 1 &&
    cat "$work/one.err" "$work/two.err" | grep -qxF 'was installed'
}
row 'two ensure at once run the install once; both find the command' two_at_once
row 'a third finds it there and runs nothing' eval 'ensure --install "$install" | jq -e ".state == \"present\"" && runs_are 1'
row 'no lock is left, and no profile differs' eval \
  '[ -z "$(docker exec "$box" ls -A /tmp)" ] && profiles_of "$box" | cmp - "$work/before" && [ -z "$(docker exec "$box" ls /trap)" ]'
fails_loudly() {
  docker exec "$box" rm /usr/local/bin/gemini /runs
  fails_with sandbox.command-missing ensure --install 'echo run >>/runs; echo no network >&2; exit 7' && runs_are 1 &&
    grep -qxF 'no network' "$work/fails.out" && grep -qF 'install-failed, exit code 7' "$work/fails.out" &&
    grep -qE 'sandbox.command-missing: .*gemini on PATH' "$work/fails.out"
}
row 'a failing install is logged, and the launch-time probe names the CLI' fails_loudly
loud_probe() {
  sealpack probe "docker:$box" --commands gemini >"$work/probe.txt"
  [ $? -eq 1 ] && grep -qE '^FAILED +S1 +command:gemini ' "$work/probe.txt" && grep -qF sandbox.command-missing "$work/probe.txt"
}
row 'a probe after it fails, naming it' loud_probe
row 'without an install command the same' fails_with sandbox.command-missing ensure

# --- after all of it ---------------------------------------------------------------------------------------------------------
row 'over docker no profile was read' eval '[ -z "$(docker exec "$dash_box" ls /trap)" ]'
row 'over ssh none was read for the dash user' test ! -e "$work/sshd/home/dash/read"
row 'the homes behind ssh are byte for byte what they were' eval 'homes_of | grep -v /read$ | cmp - "$work/homes"'
idle() {
  for _ in $(seq 20); do
    docker top "$dash_box" -o pid,args | sed 1d >"$work/top"
    [ "$(wc -l <"$work/top")" -eq 3 ] && return
    sleep 1
  done
  cat "$work/top"
  return 1
}
row 'nothing runs in the box but what keeps it up' idle
row 'no client is left here' eval '! children_of $$ | xargs -rn1 | while read -r pid; do tr "\0" " " </proc/$pid/cmdline; done 2>/dev/null | grep -E "^(docker|ssh) "'

finish
