import { toClientEnvironment } from "./client-environment.ts";
import { maxCommandBytes, type SandboxCapabilities, type SandboxExecutor } from "./executor.ts";
import { runSupervised, type SupervisedClient } from "./supervised-client.ts";

export interface SshTarget {
  /** `[user@]host`, as `ssh` takes it: a Host of the user's configuration works. */
  readonly destination: string;
  readonly port?: number;
}

export interface SshOptions {
  /** The client's configuration file instead of the user's and the system's. */
  readonly configFile?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

export const sshCapabilities: SandboxCapabilities = {
  stdin: "stream",
  splitStderr: true,
  signal: false,
  upload: false,
  binaryOutput: true,
  blanking: false,
  maxCommandBytes,
};

/**
 * What one command needs whatever the configuration says: no questions, no terminal, nothing of the controller forwarded, a dead
 * connection noticed. A master connection that exists is used; none is left behind.
 */
const fixedOptions = [
  "BatchMode=yes",
  "RequestTTY=no",
  "ClearAllForwardings=yes",
  "ForwardAgent=no",
  "ForwardX11=no",
  "PermitLocalCommand=no",
  "RemoteCommand=none",
  "ControlMaster=no",
  "ForkAfterAuthentication=no",
  "StdinNull=no",
  "ConnectTimeout=15",
  "ServerAliveInterval=5",
  "ServerAliveCountMax=3",
  "LogLevel=ERROR",
];

/** A machine behind sshd, through the system's OpenSSH client with its configuration, keys and agent. */
export function sshSandbox(target: SshTarget, options: SshOptions = {}): SandboxExecutor {
  const client: SupervisedClient = {
    name: `ssh:${target.destination}${target.port === undefined ? "" : `:${target.port}`}`,
    maxCommandBytes,
    env: toClientEnvironment(options.environment ?? process.env),
    toCall: (line) => ({
      file: "ssh",
      args: [
        ...(options.configFile === undefined ? [] : ["-F", options.configFile]),
        ...fixedOptions.flatMap((option) => ["-o", option]),
        ...(target.port === undefined ? [] : ["-p", String(target.port)]),
        "--",
        target.destination,
        line,
      ],
    }),
  };
  return {
    place: "sandbox",
    name: client.name,
    capabilities: sshCapabilities,
    execute: (command) => runSupervised(client, command),
  };
}
