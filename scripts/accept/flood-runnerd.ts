/**
 * flood-runnerd.ts <pack> <runnerd>: 100 MB through a command's stdout to a controller that takes 1 MB every few milliseconds; prints
 * how much runnerd's resident size grew, and fails where that is over 96 MiB or a byte is missing.
 */
import { spawn } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { readPack } from "../../src/bridges/pack-commands.ts";
import { parseFrame, parseStream, printCredit, printJsonFrame } from "../../src/bridges/runnerd/frame.ts";
import { protocolName } from "../../src/bridges/runnerd/serve-connection.ts";

const [path = "", runnerd = ""] = process.argv.slice(2);
const size = 100 * 1000 * 1000;
const limit = 96 * 1024 * 1024;
const ticket = "ticket-of-nobody-0123456789";
const pack = readPack(realpathSync(path));

const child = spawn(runnerd, ["--listen-ws", "0", "--pack", pack.root], {
  env: { PATH: dirname(process.execPath), PAPERCLIP_RUNNERD_TICKET: ticket },
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await new Promise<string>((resolve) => {
  child.stdout.setEncoding("utf8").once("data", (line: string) => resolve(JSON.parse(line).listening));
});
const socket = new WebSocket(url, "paperclip-runner.prp.v1", {
  headers: { authorization: `Bearer ${ticket}` },
});
const script = `const b = Buffer.alloc(1e6, 120); let left = ${size / 1e6}; const go = () => { while (left-- > 0) if (!process.stdout.write(b)) return process.stdout.once("drain", go); }; go();`;
let received = 0;
let largest = 0;
let idle = 0;
let exit = "";

const done = new Promise<void>((resolve) => {
  socket.on("message", async (message: Buffer) => {
    const frame = parseFrame(message);
    if (frame.type === "hello") {
      idle = residentSize(child.pid ?? 0);
      socket.send(printJsonFrame("start", 1, { command: "node", args: ["-e", script], cwd: "/" }));
    }
    if (frame.type === "data") {
      const { stream, bytes } = parseStream(frame);
      if (stream === "stdout") received += bytes.length;
      largest = Math.max(largest, residentSize(child.pid ?? 0));
      await sleep(3);
      socket.send(printCredit(1, stream as "stdout", bytes.length));
    }
    if (frame.type === "exit" || frame.type === "refused") {
      exit = frame.payload.toString();
      resolve();
    }
  });
});
socket.on("open", () =>
  socket.send(printJsonFrame("hello", 0, { protocol: protocolName, manifest: pack.manifest.digest })),
);
await done;
socket.close();
child.kill();
process.stdout.write(
  `${received} bytes, ${Math.round(idle / 1e6)} MB resident before, at most ${Math.round(largest / 1e6)} MB meanwhile, ${exit}\n`,
);
process.exit(received === size && largest - idle < limit && exit === '{"code":0,"signal":null}' ? 0 : 1);

function residentSize(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}
