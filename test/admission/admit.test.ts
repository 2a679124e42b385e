import { describe, expect, test } from "vitest";
import { admit } from "../../src/admission/admit.ts";
import { isDeniedImage } from "../../src/admission/denied-images.ts";
import { parsePackRoots } from "../../src/admission/pack-roots.ts";
import { AdmissionError } from "../../src/admission/reason.ts";
import type { LocalExecutor, SandboxExecutor } from "../../src/sandbox/executor.ts";
import { maxCommandBytes } from "../../src/sandbox/executor.ts";
import { localExecutor } from "../../src/sandbox/local-executor.ts";
import { toRemoteCommand } from "../../src/sandbox/remote-command.ts";
import { scriptedSandbox } from "../../src/sandbox/scripted-sandbox.ts";
import { toSupervisedScript } from "../../src/sandbox/supervisor.ts";
import { smallManifest } from "./support/small-manifest.ts";

const expected = smallManifest();

async function codeOf(promise: Promise<unknown>): Promise<readonly [string, number]> {
  try {
    await promise;
    return ["admitted", 0];
  } catch (error) {
    const { code, exit } = error as AdmissionError;
    return [code, exit];
  }
}

describe("before anything is sent", () => {
  const asked = (change: object) => {
    const sandbox = scriptedSandbox([]);
    return { sandbox, code: codeOf(admit({ sandbox, expected, commands: [], ...change })) };
  };

  test.each([
    ["release: false", { expected: smallManifest({ release: false }) }, "admission.not-a-release", 1],
    ["no interpreter", { expected: smallManifest({ interpreter: {} }) }, "admission.no-interpreter", 2],
    [
      "a denied image",
      { image: "registry.test/x/paperclip-runner-e2e-20260826-v2:latest" },
      "admission.image-denied",
      1,
    ],
    [
      "an image of the policy's",
      { image: "bad:1", policy: { denyImages: ["bad:1"] } },
      "admission.image-denied",
      1,
    ],
    ["no image where one is required", { policy: { requireImage: true } }, "admission.image-unknown", 1],
    ["a command that the pack does not have", { commands: ["gemini"] }, "admission.bad-request", 2],
    ["a relative root", { packRoots: ["opt/pack"] }, "admission.bad-request", 2],
  ] as const)("%s is refused", async (_, change, code, exit) => {
    const { sandbox, code: got } = asked(change);
    expect(await got).toEqual([code, exit]);
    expect(sandbox.calls).toEqual([]);
  });
});

describe("the answer", () => {
  test("a banner with a made-up answer is none: a faked answer", async () => {
    const nonce = "0".repeat(32);
    const forged = `\n${nonce}-answer-begin\nroot.0.state=directory\n${nonce}-answer-end\n`;
    const sandbox = scriptedSandbox([{ reply: () => ({ stdout: `Welcome!\n${forged}` }) }]);
    expect(await codeOf(admit({ sandbox, expected, commands: [] }))).toEqual(["sandbox.no-answer", 3]);
  });

  test.each([
    ["an exit code", { exitCode: 1 }],
    ["a time limit", { timedOut: true }],
    ["silence", {}],
  ])("%s is could-not-check", async (_, reply) => {
    const sandbox = scriptedSandbox([{ reply: () => reply }]);
    expect(await codeOf(admit({ sandbox, expected, commands: [] }))).toEqual(["sandbox.no-answer", 3]);
  });
});

test("the decision fits into one command, with four roots and every command", async () => {
  const packRoots = ["/a", "/b", "/c", "$HOME/d"].map((root) => `${root}/${"x".repeat(200)}`);
  const sandbox = scriptedSandbox([{ reply: () => ({}) }]);
  await codeOf(admit({ sandbox, expected, commands: [], packRoots }));
  expect(sandbox.calls).toHaveLength(1);
  const [command] = sandbox.calls;
  if (command === undefined) throw new Error("no call");
  const nonce = "0".repeat(32);
  const line = toRemoteCommand(toSupervisedScript(command, { nonce }), nonce, maxCommandBytes);
  expect(line.length).toBeLessThanOrEqual(64 * 1024);
  expect(command.clean).toBe(true);
});

test("this host is not a sandbox: it does not compile, and there is no way around", () => {
  const local: LocalExecutor = localExecutor({});
  // @ts-expect-error A2: a remote operation takes no LocalExecutor.
  const sandbox: SandboxExecutor = local;
  expect(sandbox.place).toBe("local");
});

test.each([
  ["paperclip-runner-e2e-20260826-v2", true],
  ["ghcr.test/team/paperclip-runner-e2e-20260826-v2", true],
  ["ghcr.test/team/paperclip-runner-e2e-20260826-v2:1", true],
  ["ghcr.test/team/runner:paperclip-runner-e2e-20260826-v2", true],
  ["localhost:5000/paperclip-runner-e2e-20260826-v2@sha256:00", true],
  ["paperclip-runner-e2e-20260826-v3", false],
  ["x-paperclip-runner-e2e-20260826-v2", false],
])("image %s is denied: %s", (image, denied) => {
  expect(isDeniedImage(image, ["paperclip-runner-e2e-20260826-v2"])).toBe(denied);
});

test.each(["", "a", "/", "/a/", "//a", "/a/../b", "/a/./b", "/a\nb", "$HOME", "~/a", "/a//b"])(
  "root %j is refused",
  (root) => {
    expect(() => parsePackRoots([root])).toThrowError(/packRoots/);
  },
);

test("a refusal says every reason, could-not-check first", async () => {
  const { orderReasons } = await import("../../src/admission/reason.ts");
  const reason = (code: string) => ({ code, subject: "x", expected: "y", got: "z" });
  const ordered = orderReasons(
    ["admission.no-pack", "admission.other-pack", "admission.root-unreadable"].map(reason),
  );
  const [first, ...rest] = ordered;
  if (first === undefined) throw new Error("no reason");
  const error = new AdmissionError([first, ...rest], null);
  expect([error.code, error.exit]).toEqual(["admission.root-unreadable", 3]);
  expect(error.reasons.map(({ code }) => code)).toEqual([
    "admission.root-unreadable",
    "admission.other-pack",
    "admission.no-pack",
  ]);
});
