import { isIPv4, isIPv6 } from "node:net";
import { parseArgs } from "node:util";
import { bridgesError } from "../errors.ts";
import type { TransportMode } from "./build-metadata.ts";

export interface RunnerdOptions {
  readonly mode: TransportMode;
  readonly pack: string;
  /** For dialling. */
  readonly url?: URL;
  /** A file of PEM certificates, the only ones that are trusted; Node's own where it is absent. */
  readonly ca?: string;
  /** For listening. */
  readonly address?: { readonly host: string; readonly port: number };
  readonly ticketDescriptor?: number;
  /** Milliseconds between two pings; twice that without any answer is a half-open connection. */
  readonly pingInterval: number;
}

const options = {
  "dial-ws-loopback": { type: "string" },
  "dial-wss": { type: "string" },
  "listen-ws": { type: "string" },
  ca: { type: "string" },
  pack: { type: "string", default: "/opt/paperclip-runner/provider-pack" },
  "ticket-fd": { type: "string" },
  "ping-interval": { type: "string", default: "10" },
} as const;

/** @throws `bridges.usage`, `bridges.address-malformed`, `bridges.address-not-loopback` */
export function parseRunnerdOptions(args: readonly string[]): RunnerdOptions {
  const values = parse(args);
  const modes = ["dial-ws-loopback", "dial-wss", "listen-ws"] as const;
  const given = modes.filter((mode) => values[mode] !== undefined);
  const [mode] = given;
  if (mode === undefined || given.length > 1) throw usage(`exactly one of --${modes.join(", --")}`);
  if (values.ca !== undefined && mode !== "dial-wss") throw usage("--ca with --dial-wss only");
  const value = values[mode] ?? "";
  return {
    mode: mode.replaceAll("-", "_") as TransportMode,
    pack: values.pack,
    ...(mode === "listen-ws" ? { address: parseAddress(value) } : { url: parseUrl(value, mode) }),
    ...(values.ca === undefined ? {} : { ca: values.ca }),
    ...(values["ticket-fd"] === undefined
      ? {}
      : { ticketDescriptor: toNumber("--ticket-fd", values["ticket-fd"]) }),
    pingInterval: toNumber("--ping-interval", values["ping-interval"]) * 1000,
  };
}

/** No user, query or fragment: a secret in an address would be on the command line. */
function parseUrl(text: string, mode: "dial-ws-loopback" | "dial-wss"): URL {
  const url = URL.parse(text);
  const scheme = mode === "dial-wss" ? "wss:" : "ws:";
  if (
    url === null ||
    url.protocol !== scheme ||
    /[?#]/.test(text) ||
    url.username !== "" ||
    url.password !== ""
  ) {
    const expected = `${scheme}//<host>[:<port>]/<path>, without user, query or fragment`;
    throw bridgesError("bridges.address-malformed", {
      subject: `--${mode}`,
      expected,
      got: "another address",
    });
  }
  if (mode === "dial-ws-loopback" && !isLoopback(url.hostname)) {
    const facts = { subject: `--${mode}`, expected: "127.0.0.1 or [::1]", got: url.hostname };
    throw bridgesError("bridges.address-not-loopback", facts);
  }
  return url;
}

/** A literal address: a name could be turned elsewhere. */
function isLoopback(host: string): boolean {
  return host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}

/** `<port>`, on 127.0.0.1, or `<ip>:<port>` for whoever asks for more. */
function parseAddress(text: string): { readonly host: string; readonly port: number } {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const plain = host.replace(/^\[(.*)\]$/, "$1");
  const port = Number(digits);
  if (digits !== "" && port <= 65_535 && (isIPv4(plain) || isIPv6(plain))) return { host: plain, port };
  const expected = "<port> or <ip>:<port>";
  throw bridgesError("bridges.address-malformed", {
    subject: "--listen-ws",
    expected,
    got: JSON.stringify(text),
  });
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    // Node's message may hold the argument itself: a ticket given by mistake must not reach a log.
    throw usage("its own options and no other argument", cause);
  }
}

function toNumber(name: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0) return Number(text);
  throw usage(`${name} as a whole number above 0`);
}

function usage(expected: string, cause?: unknown): Error {
  return bridgesError("bridges.usage", {
    subject: "paperclip-runnerd",
    expected,
    got: "other arguments",
    cause,
  });
}
