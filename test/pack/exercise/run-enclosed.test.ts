import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { chooseEnclosure } from "../../../src/pack/exercise/choose-enclosure.ts";
import type { EncloseOptions } from "../../../src/pack/exercise/enclosed.ts";
import { type Enclosure, planEnclosures } from "../../../src/pack/exercise/enclosure.ts";
import { runEnclosed } from "../../../src/pack/exercise/run-enclosed.ts";
import { verifyAcp } from "../../../src/pack/exercise/verify-acp.ts";
import { verifyInterpreter } from "../../../src/pack/exercise/verify-interpreter.ts";
import { acpAgent, makeSmallPack, openToAll } from "./small-pack.ts";

/** The best that this machine offers, and the one that needs nothing of it. */
const kinds = ["best", "direct"] as const;

const patience = { alone: 300, asked: 1_500 };

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

let best: Promise<Enclosure> | undefined;

async function choose(kind: (typeof kinds)[number], root: string): Promise<Enclosure> {
  if (kind === "best") {
    // One for all: their trees lie in the same folder.
    best ??= chooseEnclosure({ root, allowNetwork: true });
    return best;
  }
  const direct = planEnclosures(root, process.getuid?.() === 0).find((each) => each.kind === "direct");
  if (direct === undefined) throw new Error("setpriv is needed to test as root");
  return direct;
}

async function prepare(kind: (typeof kinds)[number], body: string): Promise<EncloseOptions> {
  const { folder, root } = makeSmallPack({ tool: body });
  made.push(folder);
  openToAll(folder);
  const enclosure = await choose(kind, root);
  const argv = ["{pack}/node_modules/.bin/tool", "--version"];
  return { enclosure, root, argv, environment: "home", allowNetwork: true, patience };
}

const stubborn = "(trap '' TERM; while :; do sleep 0.1; done) >/dev/null 2>&1 & echo 1.0";

const failures: [name: string, body: string, code: string, words: string][] = [
  ["a stub", "exit 0", "exercise.no-version", "without output"],
  ["blank output", "echo; echo", "exercise.no-version", "without output"],
  ["an error", "echo 1.0; echo why >&2; exit 3", "exercise.exit-status", "exit 3 (why)"],
  ["a signal", "kill -SEGV $$", "exercise.killed", "SIGSEGV"],
  ["a missing executable", "exec /nonexistent/x", "exercise.exit-status", "/nonexistent/x"],
  ["a hang", "exec sleep 30", "exercise.timeout", "nothing within"],
  [
    "a flood",
    "x=$(printf '%9000s' y); while :; do echo \"$x\"; done",
    "exercise.too-much-output",
    "over 1 MiB",
  ],
  ["npx", "npx -y thing acp 2>/dev/null; echo 1.0", "exercise.package-manager-called", "npx -y thing acp"],
  ["npm", "npm i; echo 1.0", "exercise.package-manager-called", "npm i"],
  ["a daemon that stays", stubborn, "exercise.process-left", "tool"],
];

describe.concurrent.each(kinds)("runEnclosed, %s", (kind) => {
  it("gives what was printed", async () => {
    const options = await prepare(kind, 'printf "%s\\n" "1.0 $1"');
    expect(await runEnclosed("tool", options)).toBe("1.0 --version\n");
  });

  it.each(failures)("refuses %s", async (_, body, code, words) => {
    const options = await prepare(kind, body);
    const time = code === "exercise.timeout" ? 400 : 20_000;
    await expect(runEnclosed("tool", options, time)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });

  it("lets a helper end on its own, or at SIGTERM", async () => {
    const options = await prepare(kind, "sleep 0.2 & sleep 30 & echo 1.0");
    expect(await runEnclosed("tool", options)).toBe("1.0\n");
  });

  it("gives an empty environment but for an isolated home and PATH", async () => {
    const options = await prepare(
      kind,
      `command -p env | while IFS== read -r name rest; do echo "$name"; done`,
    );
    const names = (await runEnclosed("tool", options)).trim().split("\n");
    const expected = ["HOME", "PATH", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
    const shells = ["PWD", "SHLVL", "_"];
    const shown = names.filter((name) => !shells.includes(name)).sort();
    expect(shown).toEqual([...expected, "XDG_RUNTIME_DIR", "XDG_STATE_HOME"]);
  });

  it("gives a home that can be written, and no rights beyond it", async () => {
    const body = `for f in "$HOME" "$TMPDIR" "$XDG_CACHE_HOME" "$XDG_RUNTIME_DIR" .; do : > "$f/x" || exit 1; done
while read -r key value; do case $key in CapEff:|NoNewPrivs:) echo "$key$value";; esac; done < /proc/self/status`;
    const options = await prepare(kind, body);
    expect(await runEnclosed("tool", options)).toBe("CapEff:0000000000000000\nNoNewPrivs:1\n");
  });

  it("runs nothing as root where root builds", async () => {
    const options = await prepare(kind, "id -u");
    const expected = process.getuid?.() === 0 ? "65534\n" : expect.stringMatching(/^\d+\n$/);
    expect(await runEnclosed("tool", options)).toEqual(expected);
  });

  it("keeps the tree read-only and the network out where it can", async () => {
    const body = `(: > "\${0%/*}/new") 2>/dev/null && echo written || echo refused
while IFS=': ' read -r name rest; do case $name in Inter*|face) ;; *) echo "$name";; esac; done < /proc/net/dev`;
    const options = await prepare(kind, body);
    const text = await runEnclosed("tool", options);
    if (options.enclosure.kind === "direct") expect(text).toContain("\nlo\n");
    else expect(text).toBe("refused\nlo\n");
  });

  it("stops at once when it is aborted, and leaves nothing", async () => {
    const stop = new AbortController();
    const options = await prepare(kind, "exec sleep 30");
    setTimeout(() => stop.abort(new Error("enough")), 300);
    const start = performance.now();
    await expect(runEnclosed("tool", { ...options, signal: stop.signal })).rejects.toThrow("enough");
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

const hello = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}';
const toAnswer = (rest: string): string => `{"jsonrpc":"2.0","id":1,${rest}}`;
const session = toAnswer('"result":{"sessionId":"s"}');

const acpFailures: [name: string, body: string, code: string, words: string][] = [
  ["an end before an answer", "echo gone >&2", "exercise.acp-no-answer", "gone"],
  ["an end after the first", acpAgent(hello), "exercise.acp-no-answer", "no stderr"],
  ["silence", "exec sleep 30", "exercise.acp-timeout", "initialize"],
  ["text on stdout", acpAgent("Welcome!"), "exercise.acp-not-json", "Welcome!"],
  ["JSON that is no message", acpAgent("[1]"), "exercise.acp-not-json", "[1]"],
  ["another protocol", acpAgent(hello.replace("1}", "2}")), "exercise.acp-initialize", "protocolVersion"],
  [
    "an error at initialize",
    acpAgent('{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"m"}}'),
    "exercise.acp-initialize",
    "-32000 m",
  ],
  [
    "a CLI that is missing",
    acpAgent(hello, toAnswer('"error":{"code":-32603,"message":"Internal error"}')),
    "exercise.acp-session",
    "-32603 Internal error",
  ],
  ["a session without an id", acpAgent(hello, toAnswer('"result":{}')), "exercise.acp-session", "{}"],
  ["an error that is null", acpAgent(hello, toAnswer('"error":null')), "exercise.acp-session", "error NaN"],
  ["a package manager", `npx x; ${acpAgent(hello, session)}`, "exercise.package-manager-called", "npx x"],
  ["a process left", `${stubborn} >&2; ${acpAgent(hello, session)}`, "exercise.process-left", "tool"],
  [
    "a flood",
    `read -r line; while :; do echo '{"jsonrpc":"2.0","method":"${"x".repeat(4000)}"}'; done`,
    "exercise.acp-too-much-output",
    "more",
  ],
];

describe.concurrent("verifyAcp", () => {
  it.each([
    ["a session", acpAgent(hello, session), "session"],
    [
      "the need to log in",
      acpAgent(hello, toAnswer('"error":{"code":-32000,"message":"Authentication required"}')),
      "authentication-required",
    ],
    [
      "a session after notes and a question of its own",
      `${acpAgent(hello)}
read -r line; echo '{"jsonrpc":"2.0","method":"session/update","params":{}}'
echo '{"jsonrpc":"2.0","id":"q","method":"fs/read_text_file","params":{}}'
read -r answer; case $answer in *'"id":"q"'*-32601*) echo '${session}';; *) exit 1;; esac`,
      "session",
    ],
    [
      "a session of an agent that stays until SIGTERM",
      `${acpAgent(hello, session)}; exec sleep 30`,
      "session",
    ],
  ])("takes %s for an answer", async (_, body, outcome) => {
    const options = await prepare("best", body);
    expect(await verifyAcp("tool", options, 20_000)).toBe(outcome);
  });

  it.each(acpFailures)("refuses %s", async (_, body, code, words) => {
    const options = await prepare("best", body);
    const time = code === "exercise.acp-timeout" ? 300 : 20_000;
    await expect(verifyAcp("tool", options, time)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });
});

describe.concurrent("verifyInterpreter", () => {
  const declared = {
    path: "node_modules/.bin/tool",
    version: "24.21.0",
    minimum: "24.11.0",
    undici: "7.29.1",
  };

  it("runs it with nothing in its environment", async () => {
    const body = 'test -z "$HOME$TMPDIR$LANG" && echo \'["24.21.0","7.29.1"]\'';
    await verifyInterpreter(declared, await prepare("best", body));
  });

  it.each([
    ["another version", `echo '["24.20.0","7.29.1"]'`, {}, "exercise.interpreter-version"],
    ["an old one", `echo '["24.21.0","7.29.1"]'`, { minimum: "24.22.0" }, "exercise.interpreter-minimum"],
    ["another undici", `echo '["24.21.0","7.28.0"]'`, {}, "exercise.undici-version"],
    ["another answer", "echo v24.21.0", {}, "exercise.interpreter-report"],
    ["one that does not run", "echo libx.so: not found >&2; exit 127", {}, "exercise.interpreter-report"],
  ])("refuses %s", async (_, body, change, code) => {
    const options = await prepare("best", body);
    await expect(verifyInterpreter({ ...declared, ...change }, options)).rejects.toMatchObject({ code });
  });
});

it("reaches a tree below a private folder", async () => {
  const { folder, root } = makeSmallPack({ tool: "echo 1.0" });
  made.push(folder);
  const [enclosure] = planEnclosures(root, process.getuid?.() === 0);
  const chosen = await chooseEnclosure({ root, allowNetwork: true }).catch(() => undefined);
  if (enclosure?.kind !== "namespaces" || chosen?.kind !== "namespaces") return;
  const argv = ["{pack}/node_modules/.bin/tool"];
  const options = { enclosure: chosen, root, argv, environment: "home", allowNetwork: false } as const;
  expect(await runEnclosed("tool", options)).toBe("1.0\n");
});

it("refuses a tree that cannot be searched, whatever the enclosure", async () => {
  const { folder, root } = makeSmallPack({});
  made.push(folder);
  rmSync(join(root, "node_modules"), { recursive: true });
  writeFileSync(join(root, "node_modules"), "");
  await expect(chooseEnclosure({ root, allowNetwork: true })).rejects.toMatchObject({
    code: "exercise.tree-unreachable",
  });
});
