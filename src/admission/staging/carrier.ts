import { Buffer } from "node:buffer";
import { toCleanShell } from "../../sandbox/clean-shell.ts";
import type { ExecutionResult, SandboxExecutor } from "../../sandbox/executor.ts";
import { toShellWord } from "../../sandbox/shell-quote.ts";
import { toToolSearch } from "../../sandbox/tool-search.ts";
import { toRefusal } from "../reason.ts";

/** Brings bytes to a script in a sandbox. */
export interface Carrier {
  readonly transport: "upload" | "stdin" | "chunks";
  /** Runs a script of absolute tools in an empty environment, with `source` on its stdin. Parts stand in `directory` meanwhile. */
  run(script: string, source: AsyncIterable<Uint8Array>, directory: string): Promise<ExecutionResult>;
}

export interface CarrierOptions {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
}

const uploadBytes = 16 * 1024 * 1024;
const textBytes = 1024 * 1024;
/** Base64 twice, in a command of 96 KiB, with room for what the driver wraps around. */
const commandBytes = 40 * 1024;

/** The best of what the driver can: upload, a stream on stdin, bounded chunks in commands. */
export function toCarrier(sandbox: SandboxExecutor, options: CarrierOptions): Carrier {
  if (sandbox.upload !== undefined)
    return inParts("upload", uploadBytes, toUpload(sandbox), sandbox, options);
  if (sandbox.capabilities.stdin === "stream") return onStdin(sandbox, options);
  const text = sandbox.capabilities.stdin === "text";
  return inParts(
    "chunks",
    text ? textBytes : commandBytes,
    toChunk(sandbox, options, text),
    sandbox,
    options,
  );
}

function onStdin(sandbox: SandboxExecutor, options: CarrierOptions): Carrier {
  return {
    transport: "stdin",
    run: (script, source) => runScript(sandbox, script, options, source),
  };
}

type Put = (path: string, bytes: Uint8Array) => Promise<void>;

/** The input as numbered files, which the script's shell then joins: a part that is sent twice is the same part. */
function inParts(
  transport: "upload" | "chunks",
  partBytes: number,
  put: Put,
  sandbox: SandboxExecutor,
  options: CarrierOptions,
): Carrier {
  return {
    transport,
    run: async (script, source, directory) => {
      let count = 0;
      for await (const part of toParts(source, partBytes)) {
        await put(`${directory}/in.${String(count).padStart(7, "0")}`, part);
        count += 1;
      }
      const parts = `${toShellWord(directory)}/in.*`;
      const joined = `${toToolSearch("cat", "cat")}${toToolSearch("rm", "rm")}{ $cat ${parts};}|{\n${script}\n}\nstatus=$?\n$rm -f ${parts}\nexit $status\n`;
      return await runScript(sandbox, joined, options);
    },
  };
}

function toUpload(sandbox: SandboxExecutor): Put {
  return async (path, bytes) => await sandbox.upload?.(path, bytes);
}

/** One part in one command: as text on stdin where the driver has it, else in the command itself. */
function toChunk(sandbox: SandboxExecutor, options: CarrierOptions, onInput: boolean): Put {
  return async (path, bytes) => {
    const text = Buffer.from(bytes).toString("base64");
    const word = toShellWord(path);
    const input = onInput ? "" : `printf %s ${text}|`;
    const script = `${toToolSearch("base64", "base64")}${toToolSearch("openssl", "openssl")}umask 077
decode="$base64 -d";[ -n "$base64" ]||decode="$openssl base64 -d -A"
${input}$decode >${word}
`;
    const result = await runScript(sandbox, script, options, onInput ? Buffer.from(text) : undefined);
    if (result.exitCode === 0 && !result.timedOut) return;
    throw toRefusal("admission.staging-failed", {
      subject: path,
      expected: "a written part",
      got: result.timedOut ? "its time limit" : `exit code ${result.exitCode}`,
    });
  };
}

export async function runScript(
  sandbox: SandboxExecutor,
  script: string,
  options: CarrierOptions,
  stdin?: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<ExecutionResult> {
  const { timeoutMs, maxOutputBytes, signal } = options;
  return await sandbox.execute({
    command: "/bin/sh",
    args: ["-c", toCleanShell("", [], script)],
    timeoutMs,
    maxOutputBytes,
    clean: true,
    ...(stdin === undefined ? {} : { stdin }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Any chunks as parts of exactly `size` bytes; the last one is what is left. There is always one. */
async function* toParts(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    held.push(chunk);
    length += chunk.length;
    if (length < size) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; all.length - at >= size; at += size) yield all.subarray(at, at + size);
    held = [all.subarray(at)];
    length = all.length - at;
  }
  yield Buffer.concat(held);
}
