import { toClientEnvironment } from "./client-environment.ts";
import {
  blankedVariables,
  maxCommandBytes,
  type SandboxCapabilities,
  type SandboxExecutor,
} from "./executor.ts";
import { runSupervised, type SupervisedClient } from "./supervised-client.ts";

export interface DockerOptions {
  /** `user[:group]` in the container; default: the container's own. */
  readonly user?: string;
  /** The controller's environment, from which the client gets only what finds the engine. */
  readonly environment?: NodeJS.ProcessEnv;
}

export const dockerCapabilities: SandboxCapabilities = {
  stdin: "stream",
  splitStderr: true,
  signal: false,
  upload: false,
  binaryOutput: true,
  blanking: true,
  maxCommandBytes,
};

/** A running container, through the `docker` client on PATH: one `docker exec` per command. */
export function dockerSandbox(container: string, options: DockerOptions = {}): SandboxExecutor {
  const client: SupervisedClient = {
    name: `docker:${container}`,
    maxCommandBytes,
    env: toClientEnvironment(options.environment ?? process.env),
    toCall: (line, { stdin, clean }) => ({
      file: "docker",
      args: [
        "exec",
        ...(stdin ? ["-i"] : []),
        ...(options.user === undefined ? [] : ["-u", options.user]),
        ...(clean ? blankedVariables.flatMap((name) => ["-e", `${name}=`]) : []),
        "--",
        container,
        "/bin/sh",
        "-c",
        line,
      ],
    }),
  };
  return {
    place: "sandbox",
    name: client.name,
    capabilities: dockerCapabilities,
    execute: (command) => runSupervised(client, command),
  };
}
