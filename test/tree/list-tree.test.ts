import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSealpackError } from "../../src/errors.ts";
import type { TreeCode } from "../../src/tree/errors.ts";
import { listTree } from "../../src/tree/list-tree.ts";
import { parseListing } from "../../src/tree/parse-listing.ts";
import { printListing } from "../../src/tree/print-listing.ts";
import { verifyTree } from "../../src/tree/verify-tree.ts";
import { walkTree } from "../../src/tree/walk-tree.ts";
import { randomPack, smallPack } from "../support/random-pack.ts";
import { tempDir } from "../support/temp-dir.ts";

const sha256 = (bytes: string) => createHash("sha256").update(bytes).digest("hex");

function emptyTree(): string {
  const root = tempDir();
  chmodSync(root, 0o755);
  return root;
}

function write(root: string, name: string | Buffer, mode = 0o644): void {
  const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)]);
  writeFileSync(path, "bytes");
  chmodSync(path, mode);
}

async function codeOf(root: string): Promise<string> {
  try {
    await listTree(root);
    return "sound";
  } catch (error) {
    return isSealpackError(error) ? error.code : String(error);
  }
}

describe("listTree", () => {
  test("lists by bytes, whatever order the directory gives", async () => {
    const root = emptyTree();
    mkdirSync(join(root, "a"), 0o755);
    chmodSync(join(root, "a"), 0o755);
    for (const name of ["b", "a-b", "a/z", "\u{1d54f}", "\ufb01", "sealpack.json", "sealpack.tree"])
      write(root, name);
    write(root, "run", 0o755);
    const listing = await listTree(root);
    const digest = sha256("bytes");
    expect(printListing(listing.entries).toString()).toBe(
      [
        "sealpack-tree/v1",
        `d\t-\t-\ta`,
        `f\t5\t${digest}\ta-b`,
        `f\t5\t${digest}\ta/z`,
        `f\t5\t${digest}\tb`,
        `x\t5\t${digest}\trun`,
        `f\t5\t${digest}\t\ufb01`,
        `f\t5\t${digest}\t\u{1d54f}`,
        "",
      ].join("\n"),
    );
    expect(listing.bytes).toBe(30);
  });

  test("lists an empty tree", async () => {
    expect((await listTree(emptyTree())).entries).toEqual([]);
  });

  test.each<[string, (root: string) => void, TreeCode]>([
    ["a link", (root) => symlinkSync("b", join(root, "a")), "tree.not-sealable"],
    ["a FIFO", (root) => execFileSync("mkfifo", [join(root, "a")]), "tree.not-sealable"],
    ["no UTF-8", (root) => write(root, Buffer.from([0x61, 0xff])), "tree.path-not-utf8"],
    ["a control character", (root) => write(root, "a\nb"), "tree.path-control-character"],
    ["a backslash", (root) => write(root, "a\\b"), "tree.path-backslash"],
    ["a reserved name in capitals", (root) => write(root, "SEALPACK.json"), "tree.path-reserved"],
    ["a setuid file", (root) => write(root, "a", 0o4755), "tree.mode-setuid"],
    ["a writable file", (root) => write(root, "a", 0o664), "tree.mode-writable"],
    ["some execute bits", (root) => write(root, "a", 0o744), "tree.mode-partial-execute"],
    ["an unreadable file", (root) => write(root, "a", 0), "tree.mode-unreadable"],
    ["a writable root", (root) => chmodSync(root, 0o777), "tree.mode-writable"],
    ["a link for sealpack.json", (root) => symlinkSync("b", join(root, "sealpack.json")), "tree.type-link"],
    [
      "a directory for sealpack.tree",
      (root) => mkdirSync(join(root, "sealpack.tree")),
      "tree.type-directory",
    ],
    [
      "a hard link to outside",
      (root) => {
        mkdirSync(join(root, "inside"), 0o755);
        chmodSync(join(root, "inside"), 0o755);
        write(root, "inside/a");
        write(root, "outside");
        linkSync(join(root, "outside"), join(root, "inside/b"));
      },
      "tree.hard-link-outside",
    ],
    [
      "66 levels",
      (root) => mkdirSync(join(root, ...Array(66).fill("d")), { recursive: true }),
      "tree.path-too-deep",
    ],
  ])("refuses %s", async (_name, make, code) => {
    const root = emptyTree();
    make(root);
    expect(await codeOf(code === "tree.hard-link-outside" ? join(root, "inside") : root)).toBe(code);
  });

  test.each([
    ["case", "README", "readme"],
    ["normalisation", "\u00e9", "e\u0301"],
  ])("refuses two names that differ in %s alone", async (_name, a, b) => {
    const root = emptyTree();
    write(root, a);
    write(root, b);
    const code = readdirSync(root).length === 2 ? "tree.path-collision" : "sound";
    expect(await codeOf(root)).toBe(code);
  });

  test("allows hard links that stay inside", async () => {
    const root = emptyTree();
    write(root, "a");
    linkSync(join(root, "a"), join(root, "b"));
    expect(await verifyTree(root, await listTree(root))).toEqual([]);
  });

  test.each(["missing", "file", "link"])("refuses a root that is no directory: %s", async (name) => {
    const dir = emptyTree();
    write(dir, "file");
    symlinkSync(dir, join(dir, "link"));
    expect(await codeOf(join(dir, name))).toBe("tree.root-not-a-directory");
  });
});

describe("any bytes as a name", () => {
  const byte = fc.integer({ min: 1, max: 255 }).filter((value) => value !== 0x2f);
  const name = fc
    .array(byte, { minLength: 1, maxLength: 40 })
    .map((bytes) => Buffer.from(bytes))
    .filter((bytes) => !["." as const, ".."].includes(bytes.toString("latin1")));
  const text = fc
    .string({ unit: "binary", minLength: 1, maxLength: 12 })
    .filter((value) => !/[\0/]/.test(value) && value !== "." && value !== "..")
    .map((value) => Buffer.from(value));

  test("are listed or refused, never dropped", async () => {
    const dir = emptyTree();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(name, text), async (bytes) => {
        count += 1;
        const root = join(dir, String(count));
        mkdirSync(root);
        chmodSync(root, 0o755);
        const empty = await listTree(root);
        write(root, bytes);
        const extras = await verifyTree(root, empty);
        expect(extras).toHaveLength(controlName(bytes) ? 0 : 1);
        const code = await codeOf(root);
        if (code !== "sound") {
          expect(code).toMatch(/^tree\.path-/);
          return;
        }
        const { entries } = await listTree(root);
        expect(entries.map((entry) => Buffer.from(entry.path))).toEqual(controlName(bytes) ? [] : [bytes]);
      }),
      { numRuns: 300 },
    );
  });

  function controlName(bytes: Buffer): boolean {
    return ["sealpack.json", "sealpack.tree"].includes(bytes.toString("latin1"));
  }
});

describe("the listing against other tools", () => {
  const environment = { PATH: process.env.PATH, LC_ALL: "C" };
  const shell = (root: string, script: string) =>
    execFileSync("sh", ["-c", script], { cwd: root, encoding: "utf8", env: environment });

  test("design 2's check by coreutils passes on a sound pack, and find agrees with it", async () => {
    const { root, listing } = await smallPack(join(tempDir(), "pack"));
    const check = `awk -F'\\t' '$1~/^[fx]$/{print $3"  "$4}' sealpack.tree | sha256sum -c --quiet`;
    expect(shell(root, check)).toBe("");
    expect(shell(root, "sha256sum < sealpack.tree").slice(0, 64)).toBe(listing.digest);
    const found = shell(
      root,
      "find . -mindepth 1 ! -path ./sealpack.json ! -path ./sealpack.tree | cut -c3- | sort",
    );
    expect(shell(root, "tail -n +2 sealpack.tree | cut -f4")).toBe(found);
    writeFileSync(join(root, "package.json"), "edited");
    expect(() => shell(root, `${check} 2>/dev/null`)).toThrow();
  });

  test("is in the order of sort, and sizes and modes are those of find", async () => {
    const dir = tempDir();
    for (let seed = 500; seed < 520; seed += 1) {
      const { root, listing } = await randomPack(join(dir, String(seed)), seed);
      const found = shell(
        root,
        "find . -mindepth 1 ! -path './sealpack.*' -printf '%y %m %s %P\\n' | sort -k4",
      );
      const sorted = found
        .trimEnd()
        .split("\n")
        .sort((a, b) => Buffer.compare(Buffer.from(path(a)), Buffer.from(path(b))));
      const expected = listing.entries.map(({ type, size, path: name }) => ({ type, size, name }));
      expect(sorted.map(toFacts)).toEqual(expected);
      expect(parseListing(printListing(listing.entries))).toEqual(listing);
    }
  });

  const path = (line: string) => line.split(" ").slice(3).join(" ");
  function toFacts(line: string) {
    const [kind, mode, size] = line.split(" ");
    const type = kind === "d" ? "d" : mode === "755" ? "x" : "f";
    return { type, size: type === "d" ? 0 : Number(size), name: path(line) };
  }
});

test("a walk stops at its bound on entries, in one directory or many", () => {
  const root = emptyTree();
  for (let index = 0; index < 10; index += 1) write(root, `file-${index}`);
  const options = { descend: () => true, skip: () => false };
  expect(walkTree(root, { ...options, maxEntries: 10 }).tooMany).toBe(false);
  const stopped = walkTree(root, { ...options, maxEntries: 9 });
  expect(stopped.tooMany).toBe(true);
  expect(stopped.observed.length).toBeLessThanOrEqual(11);
});
