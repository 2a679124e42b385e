import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Parser } from "tar";

export interface RecordedEntry {
  readonly path: string;
  readonly type: "d" | "f" | "l";
}

/** A stand-in for the engine that only answers what `docker build` asks before it sends its context, and keeps the context. */
export async function startContextRecorder() {
  const folder = await mkdtemp(join(tmpdir(), "context-recorder-"));
  const socket = join(folder, "engine.sock");
  let recorded: RecordedEntry[] = [];
  const server = createServer((request, response) => {
    answer(request, response).then((entries) => {
      if (entries !== undefined) recorded = entries;
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    /** The entries that `client` sends for `context`, in the order of the archive. */
    async record(client: string, context: string, dockerfile: string): Promise<readonly RecordedEntry[]> {
      recorded = [];
      const env = {
        PATH: "/usr/bin:/bin",
        HOME: folder,
        DOCKER_BUILDKIT: "0",
        DOCKER_HOST: `unix://${socket}`,
      };
      await promisify(execFile)(client, ["build", "-q", "-f", dockerfile, context], { env, timeout: 60_000 });
      return recorded;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<RecordedEntry[] | undefined> {
  const headers = {
    "API-Version": "1.41",
    OSType: "linux",
    "Builder-Version": "1",
    "Content-Type": "application/json",
  };
  if (!/\/build\?/.test(request.url ?? "")) {
    response.writeHead(200, headers).end("OK");
    return undefined;
  }
  const entries = await readEntries(request);
  response.writeHead(200, headers).end(`${JSON.stringify({ stream: "sha256:0\n" })}\n`);
  return entries;
}

function readEntries(request: IncomingMessage): Promise<RecordedEntry[]> {
  return new Promise((resolve, reject) => {
    const entries: RecordedEntry[] = [];
    const parser = new Parser();
    parser.on("entry", (entry) => {
      const type = entry.type === "Directory" ? "d" : entry.type === "SymbolicLink" ? "l" : "f";
      entries.push({ path: String(entry.path).replace(/\/$/, ""), type });
      entry.resume();
    });
    parser.on("end", () => resolve(entries));
    parser.on("error", reject);
    request.pipe(parser);
  });
}
