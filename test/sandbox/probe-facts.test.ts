import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSealpackError } from "../../src/errors.ts";
import { toContractRows } from "../../src/sandbox/contract-report.ts";
import { failedRow, okRow, toExit, unknownRow } from "../../src/sandbox/contract-row.ts";
import { isAtLeast } from "../../src/sandbox/host-rows.ts";
import { parseMarkedAnswer } from "../../src/sandbox/marked-answer.ts";
import { createNonce } from "../../src/sandbox/nonce.ts";
import { parseProbeFacts } from "../../src/sandbox/probe-facts.ts";
import { probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { type ProbeQuestion, toProbeScript } from "../../src/sandbox/probe-script.ts";
import { scriptedSandbox } from "../../src/sandbox/scripted-sandbox.ts";

const question: ProbeQuestion = {
  shell: "sh",
  commands: ["node", "codex"],
  workspace: "/tmp",
  elfInterpreters: ["/lib64/ld-linux-x86-64.so.2"],
  libraries: ["libc.so.6"],
  cpu: ["fpu"],
};

/** A real answer, of this host. */
function ask(env: Record<string, string>): Buffer {
  const nonce = createNonce();
  const script = toProbeScript(question, nonce);
  return Buffer.from(parseMarkedAnswer(execFileSync("/bin/sh", ["-c", script], { env }), nonce, "host"));
}
const answer = ask({
  PATH: "/usr/bin:/bin:a\\b\nc=d:",
  HOME: "/tmp",
  IFS: "=",
  LC_ALL: "C",
  s: "x",
  o: "y",
  d: "z",
});
const parse = (bytes: Uint8Array) => parseProbeFacts(bytes, question, "host");

describe("probe answers", () => {
  test("a PATH with a backslash, a newline and an empty entry arrives as it is", () => {
    expect(parse(answer).path).toBe("/usr/bin:/bin:a\\b\nc=d:");
  });

  test("no line of a report has a control character of the sandbox's", () => {
    const hostile = ask({ PATH: "/usr/bin:/bin:\u001b[2Jx\u202e\u0007", HOME: "/tmp\n\u001b[31m" });
    const rows = toContractRows(parse(hostile), { shell: "sh", workspaceNamed: true });
    for (const row of rows) expect(row.fact).not.toMatch(/[\x00-\x1f\u202e]/);
  });

  test("every line that is missing, doubled, misspelt or new is malformed", () => {
    const lines = answer.toString("utf8").split("\n").filter(Boolean);
    const broken = lines.flatMap((line, index) => {
      const without = lines.toSpliced(index, 1);
      return [without, [...lines, line], [...without, line.replace("=", ".x=")]];
    });
    for (const variant of [...broken, [...lines, "extra=1"]]) {
      const text = Buffer.from(variant.join("\n"));
      expect(() => parse(text)).toThrow(
        expect.objectContaining({ code: "sandbox.answer-malformed", exit: 3 }),
      );
    }
  });

  test("a choice outside its set is malformed, not a guess", () => {
    for (const key of [
      "user.root",
      "dir.home.state",
      "dir.temp.exec",
      "tar.state",
      "command.0.file",
      "elf.0",
      "cpu.0",
    ]) {
      const text = answer
        .toString("utf8")
        .replace(new RegExp(`^${key.replaceAll(".", "\\.")}=.*$`, "m"), `${key}=maybe`);
      expect(() => parse(Buffer.from(text))).toThrow(
        expect.objectContaining({ code: "sandbox.answer-malformed" }),
      );
    }
  });

  test("any other bytes give a foreseen error or facts, never a crash", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .tuple(fc.nat(answer.length - 1), fc.nat(255))
        .map(([at, value]) => answer.map((byte, i) => (i === at ? value : byte))),
    );
    fc.assert(
      fc.property(bytes, (input) => {
        try {
          toContractRows(parse(input), { shell: "sh", workspaceNamed: true });
        } catch (error) {
          expect(isSealpackError(error)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("exit", () => {
  const head = { id: "x", rule: "S1", level: "required" } as const;
  const advisory = { ...head, level: "advisory" } as const;
  test("a required row that is wrong beats one that could not be told; advice fails nothing", () => {
    const [ok, wrong, unknown] = [
      okRow(head, ""),
      failedRow(head, "sandbox.no-tar", ""),
      unknownRow(head, ""),
    ];
    expect(toExit([ok])).toBe(0);
    expect(toExit([ok, unknown])).toBe(3);
    expect(toExit([ok, unknown, wrong])).toBe(1);
    expect(toExit([failedRow(head, "sandbox.no-hash-tool", "")])).toBe(3);
    expect(toExit([failedRow(advisory, "sandbox.no-exec", ""), unknownRow(advisory, "")])).toBe(0);
  });
});

describe("isAtLeast", () => {
  const rows = [
    ["2.36", "2.28", true],
    ["2.9", "2.28", false],
    ["2.28", "2.28", true],
    ["3.4.9", "3.4.21", false],
  ] as const;
  for (const [found, needed, answers] of rows) {
    test(`${found} for ${needed}`, () => expect(isAtLeast(found, needed)).toBe(answers));
  }
});

describe("probeSandbox without an answer", () => {
  const replies = [
    [{ exitCode: 0, stdout: "banner" }, "sandbox.no-answer"],
    [{ exitCode: 1 }, "sandbox.no-answer"],
    [{ timedOut: true }, "sandbox.no-answer"],
  ] as const;
  for (const [reply, code] of replies) {
    test(JSON.stringify(reply), async () => {
      const sandbox = scriptedSandbox([{ reply: () => reply }]);
      await expect(probeSandbox(sandbox, { commands: [] })).rejects.toMatchObject({ code, exit: 3 });
      expect(sandbox.calls).toHaveLength(1);
    });
  }

  test("a question that cannot be asked is refused before anything is sent", async () => {
    for (const options of [
      { commands: ["a b"] },
      { commands: [], workspace: "here" },
      { commands: Array.from({ length: 40 }, (_, i) => `c${i}`) },
    ]) {
      const sandbox = scriptedSandbox([]);
      await expect(probeSandbox(sandbox, options)).rejects.toMatchObject({
        code: "sandbox.bad-command",
        exit: 2,
      });
      expect(sandbox.calls).toEqual([]);
    }
  });
});
