import { createHash } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ManifestCode } from "../../src/manifest/errors.ts";
import { printManifest } from "../../src/manifest/print-manifest.ts";
import { digestBridges, sealManifest } from "../../src/manifest/seal-manifest.ts";
import type { ManifestCandidate, Payload } from "../../src/manifest/types.ts";
import { exitOf, verifyPack } from "../../src/manifest/verify-pack.ts";
import type { TreeCode } from "../../src/tree/errors.ts";
import { mutations } from "../support/mutate.ts";
import { randomPack, smallPack, writeControlFiles } from "../support/random-pack.ts";
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

describe("a pack that was sealed anew over a lie", () => {
  const other = "0".repeat(64);
  const first = (payload: Payload) => payload.commands["tool-0"] as Payload["commands"][string];

  test.each<[string, (payload: Payload) => Partial<Payload>, ManifestCode, string]>([
    ["entries", ({ tree }) => ({ tree: { ...tree, entries: 1 } }), "manifest.tree-counts", "sealpack.tree"],
    ["bytes", ({ tree }) => ({ tree: { ...tree, bytes: 1 } }), "manifest.tree-counts", "sealpack.tree"],
    [
      "the lock",
      ({ lock }) => ({ lock: { ...lock, sha256: other } }),
      "manifest.file-digest",
      "package-lock.json",
    ],
    [
      "the lock's path",
      ({ lock }) => ({ lock: { ...lock, path: "lock.json" } }),
      "manifest.file-not-listed",
      "lock.json",
    ],
    [
      "the interpreter",
      ({ interpreter }) => ({ interpreter: { ...interpreter, sha256: other } as Payload["interpreter"] }),
      "manifest.file-digest",
      "node_modules/node/bin/node",
    ],
    [
      "an executable",
      (payload) => ({
        commands: { "tool-0": { ...first(payload), executable: { path: "package.json", sha256: other } } },
      }),
      "manifest.file-not-listed",
      "package.json",
    ],
    [
      "a launcher",
      (payload) => ({
        commands: {
          ...payload.commands,
          extra: { ...first(payload), launcher: { path: "node_modules/.bin/tool", sha256: other } },
        },
      }),
      "manifest.file-digest",
      "node_modules/.bin/tool",
    ],
    [
      "an entry",
      (payload) => ({
        commands: {
          ...payload.commands,
          extra: { ...first(payload), entry: { path: "dist/cli/bridge.cjs", sha256: other } },
        },
      }),
      "manifest.file-digest",
      "dist/cli/bridge.cjs",
    ],
    [
      "a compiled bridge",
      () => withBridges({ bridge: { ...bridge, sha256: other } }),
      "manifest.file-digest",
      "dist/cli/bridge.cjs",
    ],
    [
      "a package bridge",
      () => withBridges({ bridge: { ...bridge, path: "node_modules/alpha", sha256: other } }),
      "manifest.bridge-component",
      "node_modules/alpha",
    ],
    [
      "a candidate",
      ({ candidates }) => ({
        candidates: { pi: { ...candidates.pi, path: "provider-assets/none" } as ManifestCandidate },
      }),
      "manifest.candidate-not-listed",
      "provider-assets/none",
    ],
  ])("%s", async (_name, change, code, path) => {
    const { root, manifest } = await smallPack(packDir());
    const payload = { ...manifest.payload, ...change(manifest.payload) };
    writeFileSync(join(root, "sealpack.json"), printManifest(sealManifest(payload)));
    const { findings } = await verifyPack(root);
    const codes = findings.map((found) => `${found.path} ${found.code}`);
    expect(codes).toContain(`${path} ${code}`);
    expect(new Set(findings.map((found) => found.code))).toEqual(new Set([code]));
  });

  const bridge = { version: "1.2.3", path: "dist/cli/bridge.cjs", sha256: other, builtFrom: "sources" };
  const withBridges = (bridges: Payload["bridges"]) => ({ bridges, bridgeDigest: digestBridges(bridges) });

  const toEnd = (lines: string[], path: string) =>
    lines.sort((a, b) => Number(isOf(a, path)) - Number(isOf(b, path)));
  const isOf = (line: string, path: string) => line.endsWith(`\t${path}`);
  test.each<[string, (lines: string[]) => string[], TreeCode]>([
    ["unsorted", (lines) => toEnd(lines, "package-lock.json"), "tree.listing-order"],
    [
      "with a line twice",
      ([header = "", line = "", ...lines]) => [header, line, line, ...lines],
      "tree.listing-duplicate",
    ],
    ["of version 2", ([, ...lines]) => ["sealpack-tree/v2", ...lines], "tree.listing-version"],
    ["that lists a way out", (lines) => [...lines, "d\t-\t-\tz", "d\t-\t-\tz/.."], "tree.path-segment"],
  ])("a listing %s", async (_name, change, code) => {
    const { root, manifest } = await smallPack(packDir());
    const lines = readFileSync(join(root, "sealpack.tree"), "utf8").trimEnd().split("\n");
    const listing = `${change(lines).join("\n")}\n`;
    const tree = { ...manifest.payload.tree, digest: createHash("sha256").update(listing).digest("hex") };
    writeControlFiles(root, sealManifest({ ...manifest.payload, tree }), Buffer.from(listing));
    const { findings } = await verifyPack(root);
    expect(findings.map((found) => `${found.path} ${found.code}`)).toEqual([`sealpack.tree ${code}`]);
  });
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
