import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** Users of the test's sshd: they exist only in its mount namespace. */
export const sshUsers = { dash: "/bin/dash", bash: "/bin/bash", csh: "/bin/csh" } as const;
export type SshUser = keyof typeof sshUsers;
const firstId = 61_500;

export interface Sshd {
  readonly port: number;
  /** Everything that was made for it: keys, homes, configuration. */
  readonly directory: string;
  /** A client configuration with its keys; it sends LANG and LC_* as Debian's does. */
  readonly clientConfig: string;
  home(user: SshUser): string;
  /** Ends every session's process on the server, as a cut connection does. */
  cut(): Promise<void>;
  stop(): Promise<void>;
}

/** A real sshd on loopback with keys of its own. It needs root, OpenSSH and csh, and fails without them. */
export async function startSshd(): Promise<Sshd> {
  if (process.getuid?.() !== 0) throw new Error("the ssh suite runs as root: sshd changes users");
  for (const program of ["/usr/sbin/sshd", ...Object.values(sshUsers)]) await access(program);
  const directory = await mkdtemp(join(tmpdir(), "sealpack-sshd-"));
  await chmod(directory, 0o755);
  await mkdir(join(directory, "bin"));
  await makeKeys(directory);
  await makeUsers(directory);
  const port = await freePort();
  await writeFile(join(directory, "sshd_config"), toServerConfig(directory, port));
  await writeFile(join(directory, "ssh_config"), toClientConfig(directory));
  const server = launch(directory);
  await awaitPort(port, server);
  return {
    port,
    directory,
    clientConfig: join(directory, "ssh_config"),
    home: (user) => join(directory, "home", user),
    cut: async () => {
      for (const pid of await childrenOf(server.pid ?? 0)) killTree(pid, await childrenOf(pid));
    },
    stop: async () => {
      if (server.exitCode === null) {
        server.kill("SIGTERM");
        await once(server, "exit");
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function makeKeys(directory: string): Promise<void> {
  for (const name of ["host_key", "client_key"]) {
    await exec("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(directory, name)]);
  }
}

async function makeUsers(directory: string): Promise<void> {
  const key = await readFile(join(directory, "client_key.pub"));
  const lines: string[] = ["root:x:0:0::/root:/bin/sh", "sshd:x:105:65534::/run/sshd:/usr/sbin/nologin"];
  for (const [index, [name, shell]] of Object.entries(sshUsers).entries()) {
    const home = join(directory, "home", name);
    const id = firstId + index;
    await mkdir(join(home, ".ssh"), { recursive: true });
    await writeFile(join(home, ".ssh", "authorized_keys"), key);
    for (const path of [home, join(home, ".ssh"), join(home, ".ssh", "authorized_keys")])
      await chown(path, id, id);
    lines.push(`${name}:x:${id}:${id}::${home}:${shell}`);
  }
  await writeFile(join(directory, "passwd"), `${lines.join("\n")}\n`);
  await writeFile(
    join(directory, "shadow"),
    lines.map((line) => `${line.split(":")[0]}:*:19000::::::\n`).join(""),
  );
}

function toServerConfig(directory: string, port: number): string {
  return `ListenAddress 127.0.0.1
Port ${port}
HostKey ${directory}/host_key
AuthorizedKeysFile .ssh/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PidFile none
LogLevel ERROR
PrintMotd no
AcceptEnv *
SetEnv PATH=${directory}/bin:/usr/bin:/bin
MaxStartups 100
`;
}

function toClientConfig(directory: string): string {
  return `Host *
  IdentityFile ${directory}/client_key
  IdentitiesOnly yes
  UserKnownHostsFile /dev/null
  StrictHostKeyChecking no
  SendEnv LANG LC_*
`;
}

/** The users are in files that only this server's mount namespace has in the place of the machine's. */
function launch(directory: string): ChildProcess {
  const script = `mount -t tmpfs tmpfs /run && mkdir /run/sshd &&
mount --bind ${directory}/passwd /etc/passwd && mount --bind ${directory}/shadow /etc/shadow &&
exec /usr/sbin/sshd -D -e -f ${directory}/sshd_config`;
  const args = ["-m", "--propagation", "private", "/bin/sh", "-c", script];
  return spawn("unshare", args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function awaitPort(port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`sshd ended with ${server.exitCode}`);
    const socket = connect(port, "127.0.0.1");
    const [event] = await Promise.race([
      once(socket, "connect").then(() => ["up"]),
      once(socket, "error").then(() => ["down"]),
    ]).catch(() => ["down"]);
    socket.destroy();
    if (event === "up") return;
    await delay(50);
  }
  throw new Error("sshd does not answer");
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^[0-9]+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "latin1").catch(() => "")));
  return pids.filter((_, index) => Number(stats[index]?.split(") ")[1]?.split(" ")[1]) === parent);
}

/** The session's privileged process and its unprivileged one; the user's command, a child of that, lives on. */
function killTree(pid: number, children: readonly number[]): void {
  for (const each of [...children, pid]) process.kill(each, "SIGKILL");
}
