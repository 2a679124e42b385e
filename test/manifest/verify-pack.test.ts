import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printManifest } from "../../src/manifest/print-manifest.ts";
import { sealManifest } from "../../src/manifest/seal-manifest.ts";
import { exitOf, verifyPack } from "../../src/manifest/verify-pack.ts";
import { mutations } from "../support/mutate.ts";
import { randomPack, smallPack } from "../support/random-pack.ts";
import { tempDir } from "../support/temp-dir.ts";
import { verifyUnprivileged } from "../support/verify-unprivileged.ts";

/** A folder that any user can search, for the rows that verify as another user. */
function packDir(): string {
  const dir = tempDir();
  chmodSync(dir, 0o755);
  return join(dir, "pack");
}

describe("a sound pack", () => {
  test("has no finding, and is self-consistent only without a trusted manifest", async () => {
    const { root, manifest } = await smallPack(packDir());
    const alone = await verifyPack(root);
    expect(alone).toMatchObject({ ok: true, trusted: false, findings: [], couldNotCheck: false });
    expect(exitOf(alone)).toBe(0);
    expect(await verifyPack(root, { manifest })).toMatchObject({ ok: true, trusted: true, findings: [] });
  });

  test("is sound for another user", async () => {
    const { root } = await smallPack(packDir());
    expect(await verifyUnprivileged(root)).toMatchObject({ ok: true, findings: [] });
  });

  test("may be readable by its owner alone", async () => {
    const { root } = await smallPack(packDir());
    chmodSync(join(root, "package.json"), 0o400);
    chmodSync(join(root, "dist"), 0o700);
    expect((await verifyPack(root)).findings).toEqual([]);
  });

  test("may hold hard links among its own files", async () => {
    const { root } = await smallPack(packDir());
    const copy = `${root}-copy`;
    mkdirSync(copy);
    cpSync(root, copy, { recursive: true });
    expect((await verifyPack(copy)).findings).toEqual([]);
  });

  test("is sound 200 times at random", async () => {
    const dir = tempDir();
    for (let seed = 1; seed <= 200; seed += 1) {
      const { root } = await randomPack(join(dir, String(seed)), seed);
      expect({ seed, findings: (await verifyPack(root)).findings }).toEqual({ seed, findings: [] });
    }
  });
});

describe("one mutation gives its own finding and nothing else", () => {
  test.each(mutations)("$name", async ({ apply, finds, unprivileged }) => {
    const { root } = await smallPack(packDir());
    const cleanUp = await apply(root);
    try {
      const report = unprivileged ? await verifyUnprivileged(root) : await verifyPack(root);
      expect(report.findings.map(({ code, path }) => ({ code, path }))).toEqual(finds);
      expect(report.ok).toBe(false);
      expect(exitOf(report)).toBe(expectedExit(finds.map(({ code }) => code)));
    } finally {
      cleanUp?.();
    }
  });

  function expectedExit(codes: readonly string[]): number {
    const unchecked = /cannot-read|schema-unknown/;
    if (codes.every((code) => unchecked.test(code))) return 3;
    return codes.includes("tree.root-not-a-directory") ? 2 : 1;
  }
});

describe("a trusted manifest", () => {
  test("must be the pack's, to the byte", async () => {
    const { root, manifest } = await smallPack(packDir());
    const other = sealManifest({ ...manifest.payload, sourceRevision: "f".repeat(40) });
    writeFileSync(join(root, "sealpack.json"), printManifest(other));
    expect((await verifyPack(root)).findings).toEqual([]);
    const report = await verifyPack(root, { manifest });
    expect(report.findings).toEqual([
      {
        code: "manifest.not-the-trusted",
        path: "sealpack.json",
        expected: manifest.digest,
        got: other.digest,
      },
    ]);
  });

  test("decides before the pack's own is parsed", async () => {
    const { root, manifest } = await smallPack(packDir());
    writeFileSync(join(root, "sealpack.json"), "{}\n");
    const report = await verifyPack(root, { manifest });
    expect(report.findings.map(({ code }) => code)).toEqual(["manifest.not-the-trusted"]);
  });
});

describe("exitOf", () => {
  const of = (...codes: string[]) =>
    exitOf({ findings: codes.map((code) => ({ code, path: "a", expected: "", got: "" })) });

  test.each([
    [[], 0],
    [["tree.content"], 1],
    [["tree.cannot-read-file"], 3],
    [["tree.cannot-read-file", "tree.content"], 1],
    [["tree.changed-while-read"], 3],
    [["tree.root-not-a-directory"], 2],
    [["no.such-code"], 1],
  ])("%j gives %i", (codes, exit) => {
    expect(of(...codes)).toBe(exit);
  });
});

test("findings are sorted by path, then code, and nothing stops at the first", async () => {
  const { root } = await smallPack(packDir());
  chmodSync(join(root, "package.json"), 0o4666);
  writeFileSync(join(root, "package-lock.json"), "");
  const report = await verifyPack(root);
  expect(report.findings.map(({ code, path }) => `${path} ${code}`)).toEqual([
    "package-lock.json tree.size",
    "package.json tree.mode-setuid",
    "package.json tree.mode-writable",
  ]);
});

test("the pack on disk is what sealing printed", async () => {
  const { root, manifest } = await smallPack(packDir());
  expect(readFileSync(join(root, "sealpack.json"))).toEqual(printManifest(manifest));
});
