import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { createNonce } from "../../src/sandbox/nonce.ts";
import { toRemoteCommand } from "../../src/sandbox/remote-command.ts";

const nonce = createNonce();

test("one line, words of at most 900 bytes, nothing that csh reads between single quotes", () => {
  const line = toRemoteCommand(`echo '!'\n${"x\n".repeat(20_000)}`, nonce, 98_304);
  expect(line).not.toMatch(/[\n!]/);
  const words = line
    .split(" '")
    .slice(1)
    .map((word) => word.replace(/'.*/, ""));
  expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(900);
  expect(line.split("'").length % 2).toBe(1);
});

test("what arrives is the script, byte for byte", () => {
  const script = `printf '%s' 'a"b!$(id)\\ \u00fc𝄞\n'\\'''`;
  const line = toRemoteCommand(script, nonce, 98_304);
  expect(execFileSync("/bin/sh", ["-c", line]).toString("utf8")).toBe("a\"b!$(id)\\ \u00fc𝄞\n'");
});

test("the call's name is the nonce, for whoever looks for its processes", () => {
  const line = toRemoteCommand('printf %s "$0"', nonce, 98_304);
  expect(execFileSync("/bin/sh", ["-c", line]).toString("utf8")).toBe(`sealpack-${nonce}`);
});

test("an image of hostile variables does not reach the decoder's own", () => {
  const env = {
    PATH: "/nowhere",
    _sp_t: "/bin/false",
    _sp_a: "-x",
    _sp_x: "echo no",
    IFS: "x",
    ENV: "/nowhere",
  };
  const line = toRemoteCommand("echo yes", nonce, 98_304);
  expect(execFileSync("/bin/sh", ["-c", line], { env }).toString("utf8")).toBe("yes\n");
});

test("beyond its bound it is refused, at it it is not", () => {
  const line = toRemoteCommand("true", nonce, 98_304);
  expect(toRemoteCommand("true", nonce, Buffer.byteLength(line))).toBe(line);
  expect(() => toRemoteCommand("true", nonce, line.length - 1)).toThrow(
    expect.objectContaining({ code: "sandbox.command-too-long" }),
  );
  expect(() => toRemoteCommand("a\0", nonce, 98_304)).toThrow(
    expect.objectContaining({ code: "sandbox.bad-command" }),
  );
});
