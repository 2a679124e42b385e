/** What a driver can carry. A caller chooses by these, never by a driver's name. */
export interface SandboxCapabilities {
  /** `stream`: any bytes, as they come. `text`: valid UTF-8, whole. */
  readonly stdin: "stream" | "text" | "none";
  /** False where the transport merges stderr into stdout; the result's stderr is then empty. */
  readonly splitStderr: boolean;
  /** Whether a signal that ended the command is named; elsewhere it shows as exit code 128 + number. */
  readonly signal: boolean;
  readonly upload: boolean;
  /** False where output passes through a string, which damages bytes that are not UTF-8. */
  readonly binaryOutput: boolean;
  /** Whether `clean` can blank the loader's and the shells' variables in the call itself. */
  readonly blanking: boolean;
  /** Bound of one command in its sent form, in bytes. */
  readonly maxCommandBytes: number;
}

export interface SandboxCommand {
  /** A program's path, or a name that the sandbox's PATH resolves. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Set for this command on top of the sandbox's own environment. Nothing else is sent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: where the transport starts commands. */
  readonly cwd?: string;
  readonly stdin?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Milliseconds; the sandbox's own watchdog counts whole seconds, rounded up. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Bytes kept of each stream, from its start; the rest is read, counted and dropped. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Blank LD_PRELOAD, BASH_ENV, ENV and NODE_OPTIONS in the call itself, where the driver can (design 8). */
  readonly clean?: boolean;
}

export interface ExecutionResult {
  /** Null where the command never reported one: ended by a signal (`signal` names it) or by the client's own clock. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Where the streams are merged, also true if only both together are longer than the bound; then up to twice as much is kept. */
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly timedOut: boolean;
}

/** A remote sandbox: the only thing that code for remote runs accepts (A2). */
export interface SandboxExecutor {
  readonly place: "sandbox";
  /** For messages: `docker:web-1`. */
  readonly name: string;
  readonly capabilities: SandboxCapabilities;
  /**
   * @throws SealpackError `sandbox.not-reached`, `sandbox.ended-early`, `sandbox.aborted`, `sandbox.command-too-long`, …
   *   A command that ran and failed, or ran out of time, is a result, not an error.
   */
  execute(command: SandboxCommand): Promise<ExecutionResult>;
  /** Writes one file; present exactly where `capabilities.upload` is true. */
  readonly upload?: (path: string, bytes: Uint8Array, signal?: AbortSignal) => Promise<void>;
}

/** This host. Another type on purpose: what takes a `SandboxExecutor` cannot be given one. */
export interface LocalExecutor {
  readonly place: "local";
  readonly name: string;
  readonly capabilities: SandboxCapabilities;
  execute(command: SandboxCommand): Promise<ExecutionResult>;
}

/** An argument is limited to 128 KiB by Linux; design 8 leaves a quarter of it to the transport. */
export const maxCommandBytes = 96 * 1024;

export const defaultOutputBytes = 1024 * 1024;

/** What a hostile environment could steer the loader, the shells and Node with. */
export const blankedVariables = ["LD_PRELOAD", "BASH_ENV", "ENV", "NODE_OPTIONS"] as const;
