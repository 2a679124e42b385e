import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compiledBridge } from "../../support/compiled-bridge.ts";
import { findProcesses, runProgram, until } from "../../support/run-program.ts";
import { tempDir } from "../../support/temp-dir.ts";

const script = await compiledBridge("opencode-proxy");

/** A stand-in for `opencode serve`: what it answers is the text of a function of path and password. */
const serverOf = (answer: string) => `
const { createServer } = require("node:http");
const answer = ${answer};
const server = createServer((request, response) => {
  const right = "Basic " + Buffer.from("opencode:" + process.env.OPENCODE_SERVER_PASSWORD).toString("base64");
  const [status, body] = answer(request.url.split("?")[0], request.headers.authorization === right);
  response.writeHead(status).end(JSON.stringify(body));
});
server.listen(0, "127.0.0.1", () => console.log("opencode server listening on http://127.0.0.1:" + server.address().port));
`;
const node = (source: string) =>
  `#!/bin/sh\nexec '${process.execPath}' -e '${source.replaceAll("'", '"')}' "$0"\n`;
const healthy = (version: string) => `{ healthy: true, version: ${JSON.stringify(version)} }`;

test.each<[string, string, string, number]>([
  ["a script that prints a version", "#!/bin/sh\necho 1.2.3\n", "bridges.opencode-not-started", 3],
  ["a script that fails", "#!/bin/sh\necho broken >&2\nexit 4\n", "bridges.opencode-not-started", 3],
  ["a file that cannot be started", "no script", "bridges.opencode-not-started", 3],
  [
    "one that never says where it listens",
    "#!/bin/sh\nexec sleep 600\n",
    "bridges.opencode-start-timeout",
    3,
  ],
  ["one that never becomes healthy", node(serverOf("() => [503, {}]")), "bridges.opencode-start-timeout", 3],
  ["another version", node(serverOf(`() => [200, ${healthy("9.9.9")}]`)), "bridges.opencode-version", 1],
  [
    "one that answers without the password",
    node(serverOf(`() => [200, ${healthy("1.2.3")}]`)),
    "bridges.opencode-unprotected",
    1,
  ],
  [
    "one without events",
    node(
      serverOf(
        `(path, right) => right ? (path === "/global/health" ? [200, ${healthy("1.2.3")}] : [404, {}]) : [401, {}]`,
      ),
    ),
    "bridges.opencode-events",
    3,
  ],
])("refuses %s by name, and leaves nothing", async (_, text, code, exit) => {
  const folder = tempDir();
  const executable = join(folder, `opencode-${process.pid}-${Math.floor(performance.now())}`);
  writeFileSync(executable, text);
  chmodSync(executable, 0o755);
  const args = ["--opencode", executable, "--opencode-version", "1.2.3", "--start-timeout", "2"];
  const program = runProgram(script, args, { TMPDIR: folder });
  expect((await program.exited).code).toBe(exit);
  expect(program.stderr()).toContain(code);
  await until(
    () => findProcesses(executable),
    (left) => left.length === 0,
  );
  expect(readdirSync(folder)).toEqual([executable.split("/").at(-1)]);
});

test.each([
  [["--opencode", "x"], "bridges.usage"],
  [["--stall-timeout", "soon"], "bridges.usage"],
  [["extra"], "bridges.usage"],
  [["--model", "alone"], "bridges.model-malformed"],
])("%j is refused by name", async (args, code) => {
  const program = runProgram(script, args);
  expect((await program.exited).code).toBe(2);
  expect(program.stderr()).toContain(code);
});

test("outside a pack, without an executable named, there is nothing to drive", async () => {
  const program = runProgram(script, []);
  expect((await program.exited).code).toBe(3);
  expect(program.stderr()).toContain("bridges.pack-not-found");
});
