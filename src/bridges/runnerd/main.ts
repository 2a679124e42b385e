import { isSealpackError } from "../../errors.ts";
import { runBridge } from "../run-bridge.ts";
import { buildMetadata } from "./build-metadata.ts";
import { type CarryOptions, carrySocket } from "./carry-socket.ts";
import { dial } from "./dial.ts";
import { listen } from "./listen.ts";
import { parseRunnerdOptions, type RunnerdOptions } from "./parse-options.ts";
import { takeTicket } from "./ticket.ts";
import { readVerifiedPack } from "./verified-pack.ts";

/** Runs commands of a verified pack for a controller, over one WebSocket (docs/runnerd.md). */
runBridge(async (args, program, ended) => {
  if (args.length === 1 && args[0] === "--build-metadata") {
    process.stdout.write(`${JSON.stringify(buildMetadata, null, 2)}\n`);
    return;
  }
  const options = parseRunnerdOptions(args);
  const ticket = takeTicket(options.ticketDescriptor);
  const pack = await readVerifiedPack(options.pack);
  const carried = { program, pack, pingInterval: options.pingInterval, ended };
  if (options.address !== undefined) await serveListening(options.address, ticket, carried);
  if (options.url === undefined) return;
  const socket = await dial(options.url, ticket, options.ca);
  report({ connected: options.url.origin });
  await carrySocket(socket, carried);
});

/** A connection that fails ends what it started and nothing else: the next controller finds the door open. */
async function serveListening(
  address: NonNullable<RunnerdOptions["address"]>,
  ticket: string,
  options: CarryOptions,
): Promise<void> {
  const under = new Set<Promise<void>>();
  const listener = await listen(address, ticket, async (socket) => {
    const work = carrySocket(socket, options).catch((error: unknown) => {
      report({ failed: isSealpackError(error) ? error.code : String(error) });
    });
    under.add(work);
    await work;
    under.delete(work);
  });
  report({ listening: listener.url });
  await options.ended;
  listener.close();
  await Promise.all(under);
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
