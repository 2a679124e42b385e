import type { Readable, Writable } from "node:stream";
import { isSealpackError } from "../../errors.ts";
import { readLines } from "../read-lines.ts";
import type { SidecarHost } from "./create-host.ts";
import { parseRequest } from "./parse-request.ts";

/** Rule F2: 8 MiB of characters. */
const frameLimit = 8 * 1024 * 1024;

/** Answers requests until the input ends. Several may be under way: a prompt takes long, and `cancel` must overtake it. */
export async function serveLines(
  input: Readable,
  output: Writable,
  createHost: (emit: (event: object) => void) => SidecarHost,
): Promise<void> {
  const send = (frame: object): void => void output.write(`${JSON.stringify(frame)}\n`);
  const host = createHost(send);
  const answer = async (line: string): Promise<void> => {
    let id: unknown = null;
    try {
      const request = parseRequest(line);
      id = request.id;
      send({ id, ok: true, result: (await host.handle(request)) ?? {} });
    } catch (error) {
      send({ id: isSealpackError(error) ? (error.details.id ?? id) : id, ok: false, error: toError(error) });
    }
  };
  try {
    for await (const line of readLines(input, frameLimit)) if (line.trim() !== "") void answer(line);
  } finally {
    await host.end().catch(() => {});
  }
}

function toError(error: unknown): object {
  if (isSealpackError(error)) return { code: error.code, message: error.message, remedy: error.remedy };
  const message = error instanceof Error ? error.message : String(error);
  return { code: "bridges.agent-failed", message, remedy: "Read the agent's message." };
}
