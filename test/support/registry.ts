import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { sri, tgz } from "./tarball.ts";

/** How the registry answers one path instead of serving what it holds. */
export type Misbehaviour =
  | { readonly status: number; readonly times?: number }
  | { readonly redirect: string }
  | { readonly bytes: Uint8Array }
  /** Announces the whole length, sends half, then breaks the connection. */
  | { readonly cut: true; readonly times?: number }
  /** Sends the head and then nothing. */
  | { readonly stall: true }
  /** Sends zeros until the client goes away. */
  | { readonly endless: true };

export interface ServedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly tarball: Buffer;
}

/** A small npm registry on a free loopback port: index documents and archives from memory, with a log of requests. */
export class Registry {
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[] = [];
  readonly #files = new Map<string, Buffer>();
  readonly #rules = new Map<string, { rule: Misbehaviour; left: number }>();
  readonly #server = createServer((request, response) => this.#answer(request, response));

  /** Starts one that stops with the running test. */
  static async start(): Promise<Registry> {
    const registry = new Registry();
    await new Promise<void>((resolve) => registry.#server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => registry.stop());
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Publishes a version; `path` is where its archive is kept, by convention when left out. */
  publish(name: string, version: string, tarball: Buffer = tgz(), path?: string): ServedPackage {
    const place = path ?? `/${name}/-/${name.slice(name.indexOf("/") + 1)}-${version}.tgz`;
    const integrity = sri(tarball);
    const dist = { tarball: `${this.url}${place}`, integrity };
    this.#files.set(place, tarball);
    this.#files.set(
      `/${name}`,
      Buffer.from(JSON.stringify({ name, versions: { [version]: { name, version, dist } } })),
    );
    return { name, version, integrity, tarball };
  }

  /** Makes one path misbehave, for good or for a number of times. */
  misbehave(path: string, rule: Misbehaviour): void {
    this.#rules.set(path, { rule, left: "times" in rule ? (rule.times ?? Infinity) : Infinity });
  }

  /** How often a path was asked for. */
  count(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  /** Open connections. */
  async connections(): Promise<number> {
    return await new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(new URL(request.url ?? "/", this.url).pathname);
    this.requests.push({ path, authorization: request.headers.authorization });
    const active = this.#rules.get(path);
    const file = this.#files.get(path);
    if (active && active.left > 0) {
      active.left -= 1;
      misbehave(response, active.rule, file ?? Buffer.alloc(0));
    } else if (file) {
      response.end(file);
    } else {
      response.writeHead(404).end("{}");
    }
  }
}

function misbehave(response: ServerResponse, rule: Misbehaviour, file: Buffer): void {
  if ("status" in rule) response.writeHead(rule.status).end("{}");
  else if ("redirect" in rule) response.writeHead(302, { location: rule.redirect }).end();
  else if ("bytes" in rule) response.end(rule.bytes);
  else if ("stall" in rule) response.writeHead(200).write(file.subarray(0, 10));
  else if ("cut" in rule) sendHalf(response, file);
  else sendForever(response);
}

function sendHalf(response: ServerResponse, file: Buffer): void {
  response.writeHead(200, { "content-length": file.length });
  response.write(file.subarray(0, file.length / 2), () => response.destroy());
}

function sendForever(response: ServerResponse): void {
  const zeros = Buffer.alloc(64 * 1024);
  const send = () => {
    while (!response.destroyed && response.write(zeros));
  };
  response.on("drain", send);
  send();
}
