import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { findSecrets } from "../../../src/pack/secrets/find-secrets.ts";
import { longestSecret } from "../../../src/pack/secrets/scan-text.ts";
import type { Entry } from "../../../src/tree/entry.ts";

const folder = mkdtempSync(join(tmpdir(), "sealpack-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(folder, "tree-"));
});

const token = `npm_${"aB3".repeat(12)}`;
const pieceLength = 1024 * 1024 + longestSecret;

function put(path: string, content: string | Buffer): Entry {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  return { type: "f", size: 0, digest: "", path };
}

const found = (path: string, code: string, got: string) => ({ code, path, expected: "no credential", got });

describe("findSecrets", () => {
  it("names path, line and rule, and never the secret", async () => {
    const entries = [
      { type: "d", size: 0, digest: "", path: "a" } as const,
      put("a/.npmrc", `registry=x\n//host/:_password=hunter2\n`),
      put("a/.env", "A=1\n"),
      put("a/config.js", `one\ntwo "${token}"\n`),
      put("a/README.md", "nothing"),
    ];
    const findings = await findSecrets(root, entries);
    expect(findings).toEqual([
      found("a/.npmrc", "secrets.npmrc", "credential on line 2"),
      found("a/.env", "secrets.env-file", "assignment on line 1"),
      found("a/config.js", "secrets.token", "npm token on line 2"),
    ]);
    expect(JSON.stringify(findings)).not.toMatch(/hunter2|aB3aB3/);
  });

  it("leaves binary files alone: a NUL in the first 8 KiB, not after", async () => {
    const at = (index: number): Buffer => {
      const bytes = Buffer.from(`${" ".repeat(9_000)}${token}\n`);
      bytes.writeUInt8(0, index);
      return bytes;
    };
    expect(await findSecrets(root, [put("binary", at(8_191))])).toEqual([]);
    expect(await findSecrets(root, [put("text", at(8_192))])).toHaveLength(1);
  });

  it.each([0, 1, 8_190, 8_192, ...around(1024 * 1024), ...around(pieceLength), ...around(2 * 1024 * 1024)])(
    "finds a token at byte %d once, on its line",
    async (index) => {
      const text = `${"\n".repeat(index)}${token} ${"x".repeat(longestSecret + 100)}\n`;
      expect(await findSecrets(root, [put("file", text)])).toEqual([
        found("file", "secrets.token", `npm token on line ${index + 1}`),
      ]);
    },
  );

  it("sees what stands before and after a token across pieces", async () => {
    const misses = around(1024 * 1024).flatMap((index) => [
      put(`before-${index}`, `${" ".repeat(index - 1)}x${token} ${" ".repeat(longestSecret * 2)}`),
      put(`after-${index}`, `${" ".repeat(index)}${token}x${" ".repeat(longestSecret * 2)}`),
    ]);
    expect(await findSecrets(root, misses)).toEqual([]);
  });

  it("finds a private key that lies across pieces", async () => {
    const dashes = "-----";
    const body = `${"A".repeat(64)}\n`.repeat(190);
    const key = `${dashes}BEGIN RSA PRIVATE KEY${dashes}\n${body}${dashes}END RSA PRIVATE KEY${dashes}\n`;
    const entry = put("key", `${" ".repeat(pieceLength - 6_000)}${key}${" ".repeat(longestSecret)}`);
    expect(await findSecrets(root, [entry])).toEqual([
      found("key", "secrets.private-key", "private key on line 1"),
    ]);
  });

  it("returns no more than 200, in one file or in many", async () => {
    const many = Array.from({ length: 150 }, (_, index) => put(`f${index}`, `${token}\n${token}\n`));
    expect(await findSecrets(root, many)).toHaveLength(200);
    expect(await findSecrets(root, [put("one", `${token}\n`.repeat(500))])).toHaveLength(200);
  });

  it("could not check what became a link, a FIFO's place or nothing", async () => {
    const entry = put("file", "text");
    rmSync(join(root, "file"));
    await expect(findSecrets(root, [entry])).rejects.toMatchObject({ code: "secrets.unreadable", exit: 3 });
    symlinkSync("/etc/hostname", join(root, "file"));
    await expect(findSecrets(root, [entry])).rejects.toMatchObject({ code: "secrets.unreadable", exit: 3 });
  });
});

/** Just before, at and just after a border; and with the border inside the token. */
function around(border: number): number[] {
  return [border - 20, border - 1, border, border + 1];
}
