import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { SandboxCapabilities, SandboxCommand, SandboxExecutor } from "../../../src/sandbox/executor.ts";
import { ownChildren, processesWith } from "./processes.ts";

interface Row {
  readonly name: string;
  /** The capability that the row is about; rows without one hold for every driver. */
  readonly needs?: (capabilities: SandboxCapabilities) => boolean;
  readonly check: (sandbox: SandboxExecutor) => Promise<void>;
}

/** One suite for every driver. A row whose capability is missing is left out by name, and the opposite row is there instead. */
export function executorSuite(
  name: string,
  capabilities: SandboxCapabilities,
  open: () => SandboxExecutor,
  options: { readonly concurrent?: boolean } = {},
): void {
  describe(`executor: ${name}`, { concurrent: options.concurrent === true }, () => {
    // Before any driver is opened: a name that Debian's ssh_config would send, and one that nothing names.
    beforeAll(() => {
      process.env.LC_SEALPACK_TEST = secret;
      process.env.SEALPACK_TEST_TOKEN = secret;
    });
    test("states the capabilities that its rows were chosen by", () => {
      expect(open().capabilities).toEqual(capabilities);
    });
    for (const row of rows) {
      if (row.needs === undefined || row.needs(capabilities)) test(row.name, () => row.check(open()));
    }
    if (options.concurrent !== true) {
      test("no client process is left on this side", async () => {
        expect(await ownChildren(["docker", "ssh"])).toEqual([]);
      });
    }
  });
}

const secret = randomBytes(8).toString("hex");
const short = { timeoutMs: 15_000 };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");
const sh = (script: string, more: Partial<SandboxCommand> = {}): SandboxCommand => ({
  command: "sh",
  args: ["-c", script],
  ...short,
  ...more,
});

const rows: readonly Row[] = [
  {
    name: "arguments arrive byte for byte: quotes, newlines, $, !, backslashes, empty, UTF-8, a leading hyphen",
    check: async (sandbox) => {
      const args = ["a'b\"c", "x\ny\n", "$HOME `id` $(id)", "!!", "\\n\\", "", "ü€𝄞", "-n", "*", "a\tb\r"];
      const result = await sandbox.execute({ command: "printf", args: ["<%s>", ...args], ...short });
      expect(text(result.stdout)).toBe(args.map((arg) => `<${arg}>`).join(""));
      expect(result).toMatchObject({ exitCode: 0, timedOut: false, stdoutTruncated: false });
    },
  },
  {
    name: "exit codes are the command's own, 255 and 126 included",
    check: async (sandbox) => {
      for (const code of [0, 1, 126, 255]) {
        expect(await sandbox.execute(sh(`exit ${code}`))).toMatchObject({ exitCode: code, timedOut: false });
      }
    },
  },
  {
    name: "a command that is not there ends with 127",
    check: async (sandbox) => {
      expect(await sandbox.execute({ command: "no-such-command", ...short })).toMatchObject({
        exitCode: 127,
      });
    },
  },
  {
    name: "a named variable arrives, the controller's environment does not",
    check: async (sandbox) => {
      const result = await sandbox.execute({ command: "env", env: { NAMED: "a b'c\nd" }, ...short });
      expect(text(result.stdout)).toContain("NAMED=a b'c\nd\n");
      expect(text(result.stdout)).not.toContain(secret);
    },
  },
  {
    name: "the working directory is entered, or the call fails as such",
    check: async (sandbox) => {
      const result = await sandbox.execute({ command: "pwd", cwd: "/usr/bin", ...short });
      expect(text(result.stdout)).toBe("/usr/bin\n");
      const bad = sandbox.execute({ command: "pwd", cwd: "/no such directory", ...short });
      await expect(bad).rejects.toMatchObject({ code: "sandbox.bad-cwd" });
    },
  },
  {
    name: "stdin as a stream of any bytes: 200 KB (stdin: stream)",
    needs: ({ stdin }) => stdin === "stream",
    check: async (sandbox) => {
      const input = randomBytes(200_000);
      const digest = createHash("sha256").update(input).digest("hex");
      const whole = await sandbox.execute({ command: "sha256sum", stdin: input, ...short });
      expect(text(whole.stdout)).toContain(digest);
      const chunks = (async function* () {
        for (let at = 0; at < input.length; at += 30_000) yield input.subarray(at, at + 30_000);
      })();
      const streamed = await sandbox.execute({ command: "sha256sum", stdin: chunks, ...short });
      expect(text(streamed.stdout)).toContain(digest);
    },
  },
  {
    name: "a stdin source that fails is an error, not the end of the input (stdin: stream)",
    needs: ({ stdin }) => stdin === "stream",
    check: async (sandbox) => {
      const broken = (async function* () {
        yield Buffer.from("half");
        throw new Error("source broke");
      })();
      await expect(sandbox.execute({ command: "cat", stdin: broken, ...short })).rejects.toThrow(
        "source broke",
      );
    },
  },
  {
    name: "stdin as text: 200 KB (stdin: text)",
    needs: ({ stdin }) => stdin === "text",
    check: async (sandbox) => {
      const input = Buffer.from("ü\n".repeat(66_000));
      const result = await sandbox.execute({ command: "wc", args: ["-c"], stdin: input, ...short });
      expect(text(result.stdout).trim()).toBe(String(input.length));
      const binary = sandbox.execute({ command: "cat", stdin: Buffer.from([0xff]), ...short });
      await expect(binary).rejects.toMatchObject({ code: "sandbox.stdin-not-text" });
    },
  },
  {
    name: "stdin is refused, not dropped (stdin: none)",
    needs: ({ stdin }) => stdin === "none",
    check: async (sandbox) => {
      const call = sandbox.execute({ command: "cat", stdin: Buffer.from("x"), ...short });
      await expect(call).rejects.toMatchObject({ code: "sandbox.unsupported" });
    },
  },
  {
    name: "stderr apart from stdout (splitStderr)",
    needs: ({ splitStderr }) => splitStderr,
    check: async (sandbox) => {
      const result = await sandbox.execute(sh("echo out; echo err >&2"));
      expect([text(result.stdout), text(result.stderr)]).toEqual(["out\n", "err\n"]);
    },
  },
  {
    name: "stderr merged into stdout (no splitStderr)",
    needs: ({ splitStderr }) => !splitStderr,
    check: async (sandbox) => {
      const result = await sandbox.execute(sh("echo out; echo err >&2"));
      expect(text(result.stdout).split("\n").sort()).toEqual(["", "err", "out"]);
      expect(result.stderr.length).toBe(0);
    },
  },
  {
    name: "binary output (binaryOutput)",
    needs: ({ binaryOutput }) => binaryOutput,
    check: async (sandbox) => {
      const result = await sandbox.execute({ command: "printf", args: ["\\377\\000\\001\\n"], ...short });
      expect([...result.stdout]).toEqual([0xff, 0, 1, 10]);
    },
  },
  {
    name: "50 MB of output: bounded, and said so; the command runs to its end",
    check: async (sandbox) => {
      const command = sh("head -c 50000000 /dev/zero | tr '\\0' a; echo done >&2; exit 3", {
        timeoutMs: 60_000,
        maxOutputBytes: 100_000,
      });
      const result = await sandbox.execute(command);
      expect(result).toMatchObject({ exitCode: 3, stdoutTruncated: true, timedOut: false });
      expect(result.stdout.length).toBe(sandbox.capabilities.splitStderr ? 100_000 : result.stdout.length);
      expect(result.stdout.length).toBeLessThanOrEqual(200_000);
    },
  },
  {
    name: "endless output on both streams: bounded, ended at its time limit, nothing left",
    check: async (sandbox) => {
      const marker = randomBytes(8).toString("hex");
      const endless = sh("yes >&2 & yes", { timeoutMs: 1500, env: { MARKER: marker } });
      const result = await sandbox.execute(endless);
      expect(result).toMatchObject({ timedOut: true, stdoutTruncated: true });
      await nothingLeft(sandbox, marker);
    },
  },
  {
    name: "a command killed by a signal: 128 + its number (no signal names)",
    needs: ({ signal }) => !signal,
    check: async (sandbox) => {
      const result = await sandbox.execute(sh("kill -9 $$"));
      expect(result).toMatchObject({ exitCode: 137, signal: null, timedOut: false });
    },
  },
  {
    name: "a time limit ends the command, its children, and what ignores TERM or left the process group",
    check: async (sandbox) => {
      const marker = randomBytes(8).toString("hex");
      const script =
        "trap '' TERM; setsid sleep 300 & sleep 301 & (trap '' TERM; while :; do sleep 1; done) & wait; sleep 302";
      const started = performance.now();
      const result = await sandbox.execute(sh(script, { timeoutMs: 1000, env: { MARKER: marker } }));
      expect(result.timedOut).toBe(true);
      expect(performance.now() - started).toBeLessThan(10_000);
      await nothingLeft(sandbox, marker);
    },
  },
  {
    name: "an abort rejects at once, and nothing is left when the command's time is up plus 5 s",
    check: async (sandbox) => {
      const marker = randomBytes(8).toString("hex");
      const abort = new AbortController();
      const call = sandbox.execute(
        sh("sleep 300", { timeoutMs: 2000, env: { MARKER: marker }, signal: abort.signal }),
      );
      setTimeout(() => abort.abort(new Error("enough")), 500);
      const started = performance.now();
      await expect(call).rejects.toMatchObject({ code: "sandbox.aborted" });
      expect(performance.now() - started).toBeLessThan(8000);
      await nothingLeft(sandbox, marker, 7000);
    },
  },
  {
    name: "a call that was aborted before it began runs nothing",
    check: async (sandbox) => {
      const call = sandbox.execute(sh("true", { signal: AbortSignal.abort() }));
      await expect(call).rejects.toMatchObject({ code: "sandbox.aborted" });
    },
  },
  {
    name: "a command of 60 KB arrives, one beyond maxCommandBytes is refused before it is sent",
    check: async (sandbox) => {
      const arrives = await sandbox.execute({
        command: "printf",
        args: ["%s", "x".repeat(60_000)],
        ...short,
      });
      expect(arrives.stdout.length).toBe(60_000);
      const refused = sandbox.execute({ command: "true", args: ["x".repeat(80_000)], ...short });
      await expect(refused).rejects.toMatchObject({ code: "sandbox.command-too-long" });
    },
  },
  {
    name: "a NUL byte, a bad variable name, a bad time limit are refused before anything is sent",
    check: async (sandbox) => {
      const bad: SandboxCommand[] = [
        { command: "true", args: ["a\0b"], ...short },
        { command: "true", env: { "A-B": "1" }, ...short },
        { command: "true", timeoutMs: 0 },
        { command: "true", timeoutMs: Number.NaN },
      ];
      for (const command of bad) {
        await expect(sandbox.execute(command)).rejects.toMatchObject({ code: "sandbox.bad-command" });
      }
    },
  },
  {
    name: "`clean` blanks what steers the loader, the shells and Node (blanking)",
    needs: ({ blanking }) => blanking,
    check: async (sandbox) => {
      const script = 'printf "%s" "$LD_PRELOAD$BASH_ENV$ENV$NODE_OPTIONS|"';
      expect(text((await sandbox.execute(sh(script))).stdout)).toMatch(/^.*nonexistent.*nonexistent.*\|$/);
      expect(text((await sandbox.execute(sh(script, { clean: true }))).stdout)).toBe("|");
    },
  },
  {
    name: "a file is uploaded byte for byte (upload)",
    needs: ({ upload }) => upload,
    check: async (sandbox) => {
      const bytes = randomBytes(100_000);
      const path = `/tmp/sealpack-upload-test-${randomBytes(4).toString("hex")}`;
      await sandbox.upload?.(path, bytes);
      const result = await sandbox.execute(sh(`sha256sum ${path}; rm ${path}`));
      expect(text(result.stdout)).toContain(createHash("sha256").update(bytes).digest("hex"));
      const nowhere = sandbox.upload?.("/no-such-directory/file", bytes);
      await expect(nowhere).rejects.toMatchObject({ code: "sandbox.upload-failed" });
    },
  },
  {
    name: "without the capability there is no upload (no upload)",
    needs: ({ upload }) => !upload,
    check: async (sandbox) => expect(sandbox.upload).toBeUndefined(),
  },
];

/** In the sandbox, at most five seconds after the command's time was up. */
async function nothingLeft(sandbox: SandboxExecutor, marker: string, withinMs = 4000): Promise<void> {
  const until = performance.now() + withinMs;
  while ((await processesWith(sandbox, marker)).length > 0 && performance.now() < until) await delay(300);
  expect(await processesWith(sandbox, marker)).toEqual([]);
}
