import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parseRunnerdOptions } from "../../../src/bridges/runnerd/parse-options.ts";
import { isTicket, parseBearer, takeTicket, ticketVariable } from "../../../src/bridges/runnerd/ticket.ts";
import { tempDir } from "../../support/temp-dir.ts";

test.each<[string[], object]>([
  [
    ["--dial-ws-loopback", "ws://127.0.0.1:80/a"],
    { mode: "dial_ws_loopback", pack: "/opt/paperclip-runner/provider-pack", pingInterval: 10_000 },
  ],
  [["--dial-ws-loopback", "ws://[::1]:80/"], { mode: "dial_ws_loopback" }],
  [["--dial-ws-loopback", "ws://127.8.8.8/"], { mode: "dial_ws_loopback" }],
  [["--dial-wss", "wss://controller.example/a", "--ca", "x.pem"], { mode: "dial_wss", ca: "x.pem" }],
  [["--listen-ws", "0"], { mode: "listen_ws", address: { host: "127.0.0.1", port: 0 } }],
  [
    ["--listen-ws", "0.0.0.0:8080", "--ticket-fd", "3"],
    { address: { host: "0.0.0.0", port: 8080 }, ticketDescriptor: 3 },
  ],
  [["--listen-ws", "[::]:1", "--pack", "/p"], { address: { host: "::", port: 1 }, pack: "/p" }],
])("%j", (args, options) => {
  expect(parseRunnerdOptions(args)).toMatchObject(options);
});

const secret = "ticket-of-mine-0123456789";

test.each<[string[], string]>([
  [[], "bridges.usage"],
  [["--dial-wss", "wss://a/", "--listen-ws", "0"], "bridges.usage"],
  [["--listen-ws", "0", "--ca", "x"], "bridges.usage"],
  [["--listen-ws", "0", "--ticket-fd", "x"], "bridges.usage"],
  [["--listen-ws", "0", "--ping-interval", "0"], "bridges.usage"],
  [["--listen-ws", "0", `--ticket=${secret}`], "bridges.usage"],
  [["--listen-ws", "0", secret], "bridges.usage"],
  [["--listen-ws", "localhost:0"], "bridges.address-malformed"],
  [["--listen-ws", "65536"], "bridges.address-malformed"],
  [["--listen-ws", "127.0.0.1"], "bridges.address-malformed"],
  [["--dial-ws-loopback", "ws://10.0.0.1/"], "bridges.address-not-loopback"],
  [["--dial-ws-loopback", "ws://localhost/"], "bridges.address-not-loopback"],
  [["--dial-ws-loopback", "ws://127.0.0.1.example/"], "bridges.address-not-loopback"],
  [["--dial-ws-loopback", "wss://127.0.0.1/"], "bridges.address-malformed"],
  [["--dial-wss", "ws://controller/"], "bridges.address-malformed"],
  [["--dial-wss", "nothing"], "bridges.address-malformed"],
  [["--dial-wss", `wss://controller/?ticket=${secret}`], "bridges.address-malformed"],
  [["--dial-wss", `wss://controller/#${secret}`], "bridges.address-malformed"],
  [["--dial-wss", `wss://user:${secret}@controller/`], "bridges.address-malformed"],
])("%j is refused by name, and a secret in it is not repeated", (args, code) => {
  const parse = () => parseRunnerdOptions(args);
  expect(parse).toThrow(expect.objectContaining({ code }));
  expect(parse).not.toThrow(new RegExp(secret));
});

afterEach(() => {
  delete process.env[ticketVariable];
});

test("a ticket is taken out of the environment", () => {
  process.env[ticketVariable] = secret;
  expect(takeTicket(undefined)).toBe(secret);
  expect(process.env[ticketVariable]).toBeUndefined();
});

test("a ticket comes from a descriptor, which is closed; the variable goes too", () => {
  const path = join(tempDir(), "ticket");
  writeFileSync(path, `${secret}\n`);
  process.env[ticketVariable] = "another-ticket-0123456789";
  const descriptor = openSync(path, "r");
  expect(takeTicket(descriptor)).toBe(secret);
  expect(process.env[ticketVariable]).toBeUndefined();
  expect(() => closeSync(descriptor)).toThrow();
});

test.each(["", "short", "with a space in it 0123456789", "ünïcödé-0123456789", "x".repeat(4097)])(
  "%j is no ticket",
  (text) => {
    process.env[ticketVariable] = text;
    expect(() => takeTicket(undefined)).toThrow(expect.objectContaining({ code: "bridges.ticket-missing" }));
  },
);

test("tickets are compared whole", () => {
  expect([
    isTicket(secret, secret),
    isTicket(secret, `${secret}0`),
    isTicket(secret, secret.slice(1)),
    isTicket(secret, ""),
  ]).toEqual([true, false, false, false]);
  expect(["Bearer abc", "bearer abc", "Bearer a b", "Basic abc", undefined].map(parseBearer)).toEqual([
    "abc",
    "",
    "",
    "",
    "",
  ]);
});
