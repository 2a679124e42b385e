import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { initialCredit, parseStream } from "../../../src/bridges/runnerd/frame.ts";
import { bridgePack } from "../../support/bridge-pack.ts";
import { compiledBridge } from "../../support/compiled-bridge.ts";
import type { TestPack } from "../../support/random-pack.ts";
import { findProcesses, type Program, runProgram, until } from "../../support/run-program.ts";
import { type Controller, createController } from "../../support/runnerd-controller.ts";
import { tempDir } from "../../support/temp-dir.ts";

const script = await compiledBridge("runnerd");
const ticket = "ticket-0123456789abcdef";
const tls = (name: string): string => join("test/fixtures/tls", name);

const commands = {
  tool: '#!/bin/sh\ncase $1 in\n  echo) cat ;;\n  fail) echo broken >&2; exit 7 ;;\n  flood) exec head -c "$2" /dev/zero ;;\n  env) env | sort ;;\n  stay) sleep "$2" & setsid sleep "$2" & exec sleep "$2" ;;\nesac\n',
};

async function makePack(): Promise<TestPack> {
  return bridgePack(join(tempDir(), "pack"), { commands });
}

/** A runnerd that listens, and what connects to it. */
async function listening(pack: TestPack, args: readonly string[] = []) {
  const program = runProgram(script, ["--listen-ws", "0", "--pack", pack.root, ...args], {
    PAPERCLIP_RUNNERD_TICKET: ticket,
  });
  const { listening: url } = JSON.parse(await program.line()) as { listening: string };
  return {
    program,
    url,
    connect: (headers: Record<string, string> = bearer(ticket)) => connect(url, headers),
  };
}

const bearer = (given: string): Record<string, string> => ({ authorization: `Bearer ${given}` });

function connect(url: string, headers: Record<string, string>): Promise<WebSocket | number> {
  const socket = new WebSocket(url, "paperclip-runner.prp.v1", { headers });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
    socket.once("error", reject);
  });
}

async function greeted(pack: TestPack): Promise<{ program: Program; controller: Controller }> {
  const { program, connect } = await listening(pack);
  const controller = createController((await connect()) as WebSocket);
  const hello = await controller.hello(pack.manifest.digest);
  expect(hello.type).toBe("hello");
  return { program, controller };
}

test("build metadata names exactly the modes that work", async () => {
  const program = runProgram(script, ["--build-metadata"]);
  const lines: string[] = [];
  program.child.stdout.on("data", (chunk: string) => lines.push(chunk));
  expect((await program.exited).code).toBe(0);
  expect(JSON.parse(lines.join(""))).toEqual({
    schema: "paperclip-runner/runnerd-build-metadata/v1",
    binaryName: "paperclip-runnerd",
    packageName: "sealpack",
    packageVersion: "0.0.0-source",
    sourceRevision: "0".repeat(40),
    binaryContractVersion: 2,
    prpTransportModes: ["dial_ws_loopback", "dial_wss", "listen_ws"],
  });
});

test("a command's streams, exit code and environment arrive; nothing else is inherited", async () => {
  const { controller } = await greeted(await makePack());
  controller.start(1, { command: "tool", args: ["echo"], cwd: "/" });
  await controller.next("started", 1);
  controller.write(1, "to and fro");
  controller.end(1);
  const echoed = await controller.collect(1);
  expect(echoed.stdout.toString()).toBe("to and fro");
  expect(echoed.exit).toEqual({ code: 0, signal: null });
  controller.start(2, { command: "tool", args: ["fail"], cwd: "/" });
  const failed = await controller.collect(2);
  expect([failed.stderr.toString(), failed.exit]).toEqual(["broken\n", { code: 7, signal: null }]);
  controller.start(3, { command: "tool", args: ["env"], cwd: "/", env: { A: "b" }, inherit: ["PATH"] });
  const { stdout } = await controller.collect(3);
  const names = stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.split("=")[0]?.replace(/^SEALPACK_OWNER_.*/, "MARK"));
  expect(names.sort()).toEqual(["A", "MARK", "MARK", "PATH", "PWD"]);
});

test("a signal reaches the command, and its exit comes though something that it left holds its output", async () => {
  const token = `10${Date.now()}`;
  const { controller } = await greeted(await makePack());
  controller.start(1, { command: "tool", args: ["stay", token], cwd: "/", inherit: ["PATH"] });
  await controller.next("started", 1);
  await until(
    () => findProcesses(`sleep\0${token}`).length,
    (count) => count === 3,
  );
  controller.signal(1, "SIGTERM");
  const { exit } = await controller.collect(1);
  expect(exit).toEqual({ code: null, signal: "SIGTERM" });
  expect(findProcesses(`sleep\0${token}`)).toEqual([]);
});

test.each([
  ["closes", (socket: WebSocket) => socket.close()],
  ["breaks", (socket: WebSocket) => socket.terminate()],
])(
  "when the connection %s, everything that it started ends, and the next controller finds the door open",
  async (_, end) => {
    const token = `20${Date.now()}`;
    const pack = await makePack();
    const { connect } = await listening(pack);
    const socket = (await connect()) as WebSocket;
    const controller = createController(socket);
    await controller.hello(pack.manifest.digest);
    controller.start(1, { command: "tool", args: ["stay", token], cwd: "/", inherit: ["PATH"] });
    await controller.next("started", 1);
    await until(
      () => findProcesses(`sleep\0${token}`).length,
      (count) => count === 3,
    );
    end(socket);
    await until(
      () => findProcesses(token),
      (left) => left.length === 0,
    );
    let next: WebSocket | number = 0;
    for (let round = 0; round < 100 && typeof next === "number"; round += 1) {
      await sleep(20);
      next = await connect();
    }
    expect(next).toBeInstanceOf(WebSocket);
  },
);

test("SIGKILL for runnerd ends everything that it started", async () => {
  const token = `30${Date.now()}`;
  const { program, controller } = await greeted(await makePack());
  controller.start(1, { command: "tool", args: ["stay", token], cwd: "/", inherit: ["PATH"] });
  await controller.next("started", 1);
  await until(
    () => findProcesses(`sleep\0${token}`).length,
    (count) => count === 3,
  );
  program.child.kill("SIGKILL");
  await until(
    () => findProcesses(token),
    (left) => left.length === 0,
  );
});

test("a slow reader holds the command back: what is under way never exceeds the credit", async () => {
  const { program, controller } = await greeted(await makePack());
  const size = 20 * 1024 * 1024;
  controller.start(1, { command: "tool", args: ["flood", String(size)], cwd: "/" });
  let received = 0;
  while (received < initialCredit) received += parseStream(await controller.next("data", 1)).bytes.length;
  await sleep(300);
  await expect(Promise.race([controller.next("data", 1), sleep(100, "nothing")])).resolves.toBe("nothing");
  const before = residentMemory(program.child.pid ?? 0);
  controller.credit(1, "stdout", received);
  const rest = await controller.collect(1);
  expect(received + rest.stdout.length).toBeGreaterThanOrEqual(size - initialCredit);
  expect(residentMemory(program.child.pid ?? 0) - before).toBeLessThan(40 * 1024 * 1024);
});

function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

test.each([
  ["no ticket", {}, 401],
  ["another ticket", bearer("ticket-0123456789abcdeg"), 401],
  ["a longer ticket", bearer(`${ticket}0`), 401],
  ["a browser's page", { ...bearer(ticket), origin: "http://localhost" }, 403],
])("listening refuses %s", async (_, headers, status) => {
  const { connect } = await listening(await makePack());
  expect(await connect(headers)).toBe(status);
});

test("one controller at a time", async () => {
  const { connect } = await listening(await makePack());
  expect(await connect()).toBeInstanceOf(WebSocket);
  expect(await connect()).toBe(409);
});

test("a half-open connection ends what it started", async () => {
  const token = `40${Date.now()}`;
  const pack = await makePack();
  const { program, connect } = await listening(pack, ["--ping-interval", "1"]);
  const socket = (await connect()) as WebSocket;
  const controller = createController(socket);
  await controller.hello(pack.manifest.digest);
  controller.start(1, { command: "tool", args: ["stay", token], cwd: "/", inherit: ["PATH"] });
  await controller.next("started", 1);
  // Reads nothing and answers nothing, with the connection open: what a vanished peer looks like.
  (socket as unknown as { _socket: { pause(): void } })._socket.pause();
  expect(JSON.parse(await program.line())).toEqual({ failed: "bridges.connection-silent" });
  await until(
    () => findProcesses(token),
    (left) => left.length === 0,
  );
});

test.each<[string, (controller: Controller) => void, string]>([
  ["an unknown command", (one) => one.start(1, { command: "sh", cwd: "/" }), "bridges.command-unknown"],
  [
    "a path for a command",
    (one) => one.start(1, { command: "../../bin/sh", cwd: "/" }),
    "bridges.command-unknown",
  ],
  [
    "a number that was used",
    (one) => [one.start(1, { command: "tool", cwd: "/" }), one.start(1, { command: "tool", cwd: "/" })],
    "bridges.run-refused",
  ],
  [
    "a directory that is not there",
    (one) => one.start(1, { command: "tool", cwd: "/nowhere/at/all" }),
    "bridges.spawn-failed",
  ],
  ["input for no run", (one) => one.write(5, "x"), "bridges.run-refused"],
  [
    "input beyond the credit",
    (one) => [
      one.start(1, { command: "tool", args: ["stay", "3"], cwd: "/" }),
      ...Array.from({ length: 9 }, () => one.write(1, Buffer.alloc(65_536))),
    ],
    "bridges.run-refused",
  ],
])("%s is refused, and the connection goes on", async (_, ask, code) => {
  const { controller } = await greeted(await makePack());
  ask(controller);
  const { payload } = await controller.next("refused");
  expect(JSON.parse(payload.toString()).code).toBe(code);
  controller.start(77, { command: "tool", args: ["fail"], cwd: "/" });
  expect((await controller.collect(77)).exit).toEqual({ code: 7, signal: null });
});

test("a changed command is not started", async () => {
  const pack = await makePack();
  const { controller } = await greeted(pack);
  writeFileSync(join(pack.root, "node_modules/tool/bin/tool"), "#!/bin/sh\necho other\n");
  controller.start(1, { command: "tool", cwd: "/" });
  expect(JSON.parse((await controller.next("refused", 1)).payload.toString()).code).toBe(
    "bridges.command-differs",
  );
});

test("a changed pack is not served at all", async () => {
  const pack = await makePack();
  writeFileSync(join(pack.root, "package-lock.json"), "{ }");
  const program = runProgram(script, ["--listen-ws", "0", "--pack", pack.root], {
    PAPERCLIP_RUNNERD_TICKET: ticket,
  });
  expect((await program.exited).code).toBe(1);
  expect(program.stderr()).toContain("bridges.pack-differs");
});

test.each<[string, (controller: Controller) => void, string]>([
  [
    "another manifest",
    (one) => void one.hello(`sha256:${"0".repeat(64)}`).catch(() => {}),
    "bridges.pack-differs",
  ],
  ["a start before hello", (one) => one.start(1, { command: "tool", cwd: "/" }), "bridges.frame-malformed"],
  ["an unknown type", (one) => one.send(Buffer.from([99, 0, 0, 0, 0])), "bridges.frame-malformed"],
  ["a short frame", (one) => one.send(Buffer.from([1])), "bridges.frame-malformed"],
])("%s ends the connection with its reason", async (_, ask, code) => {
  const { connect } = await listening(await makePack());
  const socket = (await connect()) as WebSocket;
  const closed = once(socket, "close");
  ask(createController(socket));
  const [status, reason] = await closed;
  expect([status, String(reason)]).toEqual([1002, code]);
});

/** A controller that waits to be dialled. */
async function dialled(secure: string | undefined) {
  const server =
    secure === undefined
      ? createServer()
      : createTlsServer({
          key: readFileSync(tls(`${secure}.key`)),
          cert: readFileSync(tls(`${secure}.pem`)),
        });
  const sockets = new WebSocketServer({
    server,
    verifyClient: ({ req }: { req: IncomingMessage }) => req.headers.authorization === `Bearer ${ticket}`,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const controller = once(sockets, "connection").then(([socket]) => createController(socket as WebSocket));
  return { url: `${secure === undefined ? "ws" : "wss"}://127.0.0.1:${port}/runner`, controller };
}

test.each([
  ["dial-ws-loopback", undefined, []],
  ["dial-wss", "server", ["--ca", tls("authority.pem")]],
])("%s runs a command and ends with the connection", async (mode, secure, args) => {
  const pack = await makePack();
  const { url, controller: coming } = await dialled(secure);
  const program = runProgram(script, [`--${mode}`, url, "--pack", pack.root, ...args], {
    PAPERCLIP_RUNNERD_TICKET: ticket,
  });
  const controller = await coming;
  await controller.hello(pack.manifest.digest);
  controller.start(1, { command: "tool", args: ["fail"], cwd: "/" });
  expect((await controller.collect(1)).exit).toEqual({ code: 7, signal: null });
  controller.socket.close(1000);
  expect((await program.exited).code).toBe(0);
});

test.each([
  ["an authority that nobody named", "server", ["--ca", tls("stranger.pem")]],
  ["no bundle at all", "server", []],
  ["a certificate for another name", "othername", ["--ca", tls("authority.pem")]],
  ["an expired certificate", "expired", ["--ca", tls("authority.pem")]],
])("dial_wss refuses %s, whatever the environment says", async (_, secure, args) => {
  const pack = await makePack();
  const { url } = await dialled(secure);
  const program = runProgram(script, ["--dial-wss", url, "--pack", pack.root, ...args], {
    PAPERCLIP_RUNNERD_TICKET: ticket,
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    NODE_EXTRA_CA_CERTS: args.length === 0 ? "" : tls("authority.pem"),
  });
  expect((await program.exited).code).toBe(1);
  expect(program.stderr()).toContain("bridges.certificate-refused");
});

test("a controller that wants another ticket is left alone", async () => {
  const pack = await makePack();
  const { url } = await dialled(undefined);
  const program = runProgram(script, ["--dial-ws-loopback", url, "--pack", pack.root], {
    PAPERCLIP_RUNNERD_TICKET: "ticket-of-somebody-else",
  });
  expect((await program.exited).code).toBe(1);
  expect(program.stderr()).toContain("bridges.ticket-refused");
  expect(program.stderr()).not.toContain("somebody-else");
});
