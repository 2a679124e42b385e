import type { SandboxCapabilities } from "./executor.ts";

/** A transport whose SDK hands the whole output over when the command is done. */
export interface HandingTransport {
  readonly name: string;
  readonly capabilities: SandboxCapabilities;
  /** Runs one line. It may take `limitMs`; that it rejects means that the line's fate is not known. */
  send(line: string, options: SendOptions): Promise<HandedOutput>;
}

export interface SendOptions {
  readonly limitMs: number;
  readonly stdin: string | undefined;
  readonly clean: boolean;
}

export interface HandedOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Empty where the transport merges it into `stdout`. */
  readonly stderr: string;
  readonly timedOut: boolean;
}
