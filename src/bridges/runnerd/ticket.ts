import { createHash, timingSafeEqual } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import { bridgesError } from "../errors.ts";

export const ticketVariable = "PAPERCLIP_RUNNERD_TICKET";

/**
 * The ticket of this connection: from a descriptor, or from the environment, out of which it is taken, so that nothing
 * that is started later inherits it. Never from the command line, which everyone on the machine can read.
 * @throws `bridges.ticket-missing`
 */
export function takeTicket(descriptor: number | undefined): string {
  const given = process.env[ticketVariable];
  delete process.env[ticketVariable];
  const ticket = descriptor === undefined ? given : readDescriptor(descriptor);
  if (ticket !== undefined && /^[\x21-\x7e]{16,4096}$/.test(ticket)) return ticket;
  throw bridgesError("bridges.ticket-missing", {
    subject: descriptor === undefined ? ticketVariable : `descriptor ${descriptor}`,
    expected: "a ticket of 16 to 4096 visible ASCII characters",
    got: ticket === undefined ? "none" : `${ticket.length} characters, or others`,
  });
}

function readDescriptor(descriptor: number): string | undefined {
  const buffer = Buffer.alloc(4200);
  let length = 0;
  try {
    for (let count = -1; count !== 0 && length < buffer.length; length += count) {
      count = readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    closeSync(descriptor);
  } catch {
    return undefined;
  }
  return buffer
    .subarray(0, length)
    .toString("latin1")
    .replace(/\r?\n$/, "");
}

/** In constant time, whatever the lengths: digests are compared. */
export function isTicket(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}

/** The ticket of `Authorization: Bearer …`; "" where there is none. */
export function parseBearer(header: string | undefined): string {
  return /^Bearer ([\x21-\x7e]{1,4096})$/.exec(header ?? "")?.[1] ?? "";
}
