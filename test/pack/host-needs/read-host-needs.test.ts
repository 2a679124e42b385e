import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { toTarget } from "../../../src/definition/target.ts";
import { assertExecutableOf } from "../../../src/pack/host-needs/assert-executable-of.ts";
import {
  assertStandaloneInterpreter,
  isBaseLibrary,
} from "../../../src/pack/host-needs/assert-standalone-interpreter.ts";
import { readHostNeeds, toFolder } from "../../../src/pack/host-needs/read-host-needs.ts";
import { toHighestVersion } from "../../../src/pack/host-needs/version-need.ts";
import { arm64, makeElf, x64 } from "../../support/elf.ts";

const folder = mkdtempSync(join(tmpdir(), "sealpack-needs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(folder, "pack-"));
});

function put(path: string, bytes: Buffer | string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), bytes);
  return path;
}

const braced = "$ORIGIN".replace("ORIGIN", "{ORIGIN}");
const loader = "/lib64/ld-linux-x86-64.so.2";

describe("readHostNeeds", () => {
  it("follows libraries into the pack and lists the rest, sorted, with the highest versions of the host's", async () => {
    const needed = ["libz.so.1", "libinside.so", "libc.so.6"];
    const versions = { "libc.so.6": ["GLIBC_2.9"], "libinside.so": ["GLIBCXX_9.9"] };
    put("bin/tool", makeElf({ interpreter: loader, needed, runpath: "$ORIGIN/../lib", versions }));
    const inner = {
      needed: ["libdeep.so", "libc.so.6"],
      versions: { "libc.so.6": ["GLIBC_2.28", "GLIBC_PRIVATE"] },
    };
    put("lib/libinside.so", makeElf({ ...inner, runpath: `/usr/lib:${braced}/deep` }));
    put(
      "lib/deep/libdeep.so",
      makeElf({ needed: ["libB.so", "liba.so"], versions: { "liba.so": ["GLIBCXX_3.4.9"] } }),
    );
    expect(await readHostNeeds(root, ["bin/tool"])).toEqual({
      elfInterpreters: [loader],
      libraries: ["libB.so", "liba.so", "libc.so.6", "libz.so.1"],
      glibc: "2.28",
      glibcxx: "3.4.9",
    });
  });

  it("asks nothing for a static executable, a script or a Mach-O file", async () => {
    put("static", makeElf({ type: 2 }));
    put("script", "#!/bin/sh\n");
    put("mach", machO(0x0100000c));
    put("empty", "");
    expect(await readHostNeeds(root, ["static", "script", "mach", "empty"])).toEqual({
      elfInterpreters: [],
      libraries: [],
      glibc: "",
      glibcxx: "",
    });
  });

  it("joins executables, each interpreter once", async () => {
    put("a", makeElf({ interpreter: loader, needed: ["liba.so"] }));
    put("b", makeElf({ interpreter: "/lib/ld-musl-x86_64.so.1", needed: ["liba.so", "libb.so"] }));
    put("c", makeElf({ interpreter: loader, needed: [] }));
    expect(await readHostNeeds(root, ["c", "b", "a"])).toMatchObject({
      elfInterpreters: ["/lib/ld-musl-x86_64.so.1", loader],
      libraries: ["liba.so", "libb.so"],
    });
  });

  it("ends where libraries need each other", async () => {
    put("a", makeElf({ needed: ["b.so"], runpath: "$ORIGIN" }));
    put("b.so", makeElf({ needed: ["c.so", "b.so"], runpath: "$ORIGIN" }));
    put("c.so", makeElf({ needed: ["b.so"], runpath: "$ORIGIN" }));
    expect((await readHostNeeds(root, ["a"])).libraries).toEqual([]);
  });

  it.each([
    ["outside", "$ORIGIN/../../outside", "the library"],
    ["absolute", "/lib", "the library"],
    ["in a word that the linker replaces", "$ORIGIN/$LIB", "the library"],
    ["in the working directory", "", "the library"],
    ["beside it, for another machine", "$ORIGIN/arm", "the library"],
  ])("does not take a library %s for the pack's", async (_, runpath) => {
    put("bin/tool", makeElf({ needed: ["libx.so"], runpath }));
    put("libx.so", makeElf());
    put("bin/arm/libx.so", makeElf({ machine: arm64, needed: [] }));
    put("bin/$LIB/libx.so", makeElf());
    writeFileSync(join(folder, "libx.so"), makeElf());
    expect((await readHostNeeds(root, ["bin/tool"])).libraries).toEqual(["libx.so"]);
  });

  it("refuses a library inside that is none", async () => {
    put("tool", makeElf({ needed: ["libx.so"], runpath: "$ORIGIN" }));
    put("libx.so", "text ".repeat(100));
    await expect(readHostNeeds(root, ["tool"])).rejects.toMatchObject({ code: "host-needs.malformed-elf" });
  });

  it("is bounded in the number of libraries that it follows", async () => {
    const names = Array.from({ length: 999 }, (_, index) => `l${index}.so`);
    put("tool", makeElf({ needed: [...names, "more.so"], runpath: "$ORIGIN" }));
    for (const name of [...names, "more.so"]) put(name, makeElf({ needed: [] }));
    await expect(readHostNeeds(root, ["tool"])).rejects.toMatchObject({
      code: "host-needs.closure-too-large",
    });
  });
});

describe("toFolder", () => {
  it.each([
    ["bin/tool", "$ORIGIN", "bin"],
    ["bin/tool", `${braced}/../lib`, "lib"],
    ["tool", "$ORIGIN", "."],
    ["bin/tool", "$ORIGIN/../..", undefined],
    ["bin/tool", "$ORIGIN/../../x", undefined],
    ["bin/tool", "$ORIGINAL", undefined],
    ["bin/tool", "x/$ORIGIN", undefined],
    ["bin/tool", "/usr/lib", undefined],
    ["bin/tool", "", undefined],
  ])("from %s, %j is %j", (path, word, folder) => {
    expect(toFolder(path, word)).toBe(folder);
  });
});

describe("toHighestVersion", () => {
  it.each([
    [["GLIBC_2.9", "GLIBC_2.28", "GLIBC_2.2.5"], "GLIBC", "2.28"],
    [["GLIBC_2.2.5", "GLIBC_2.2"], "GLIBC", "2.2.5"],
    [["GLIBC_PRIVATE", "GLIBC_ABI_DT_RELR", "GLIBCXX_3.4"], "GLIBC", ""],
    [["GLIBCXX_3.4.9", "GLIBCXX_3.4.21", "CXXABI_9"], "GLIBCXX", "3.4.21"],
    [[], "GLIBC", ""],
  ] as const)("of %j for %s is %j", (names, family, version) => {
    expect(toHighestVersion(names, family)).toBe(version);
  });
});

describe("assertStandaloneInterpreter", () => {
  it.each([
    "libc.so.6",
    "libstdc++.so.6",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "libgcc_s.so.1",
    "libc.musl-x86_64.so.1",
  ])("takes %s for granted", (name) => expect(isBaseLibrary(name)).toBe(true));

  it.each(["libnode.so.137", "libuv.so.1", "libssl.so.3", "libc.so.6.evil", "xlibc.so.6", "libicuuc.so.72"])(
    "refuses one that needs %s, by name",
    async (name) => {
      put("node", makeElf({ needed: ["libc.so.6", name] }));
      await expect(assertStandaloneInterpreter(root, "node")).rejects.toMatchObject({
        code: "host-needs.private-library",
        message: expect.stringContaining(name),
      });
    },
  );

  it("refuses a private library that lies in the pack, too", async () => {
    put("node", makeElf({ needed: ["libnode.so.137"], runpath: "$ORIGIN" }));
    put("libnode.so.137", makeElf());
    await expect(assertStandaloneInterpreter(root, "node")).rejects.toMatchObject({
      code: "host-needs.private-library",
    });
  });

  it("lets a standalone one pass", async () => {
    put("node", makeElf({ needed: ["libdl.so.2", "libstdc++.so.6", "libc.so.6"] }));
    await assertStandaloneInterpreter(root, "node");
  });
});

function machO(cpu: number, type = 2): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(cpu, 4);
  bytes.writeUInt32LE(type, 12);
  return bytes;
}

function universal(...cpus: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 + 20 * 20);
  bytes.writeUInt32BE(0xcafebabe, 0);
  bytes.writeUInt32BE(cpus.length, 4);
  for (const [index, cpu] of cpus.entries()) bytes.writeUInt32BE(cpu, 8 + index * 20);
  return bytes;
}

const musl = "/lib/ld-musl-x86_64.so.1";

describe("assertExecutableOf", () => {
  it.each([
    ["linux-x64", makeElf({ machine: x64, type: 2 })],
    ["linux-x64", makeElf({ interpreter: loader, needed: [] })],
    ["linux-arm64", makeElf({ machine: arm64 })],
    ["linux-x64-musl", makeElf({ interpreter: musl, needed: [] })],
    ["linux-x64-musl", makeElf({ type: 2 })],
    ["darwin-arm64", machO(0x0100000c)],
    ["darwin-x64", universal(0x0100000c, 0x01000007)],
  ] as const)("takes one of %s", async (id, bytes) => {
    await assertExecutableOf(toTarget(id), join(root, put("tool", bytes)), "tool");
  });

  it.each([
    ["linux-x64", "a script", "#!/usr/bin/env node\n", "host-needs.not-an-executable"],
    ["linux-x64", "an empty file", "", "host-needs.not-an-executable"],
    ["linux-x64", "a Mach-O file", machO(0x01000007), "host-needs.not-an-executable"],
    ["linux-x64", "a relocatable object", makeElf({ type: 1 }), "host-needs.not-an-executable"],
    ["linux-x64", "one for arm64", makeElf({ machine: arm64 }), "host-needs.wrong-architecture"],
    ["linux-arm64", "one for x64", makeElf(), "host-needs.wrong-architecture"],
    ["linux-x64", "one for i386", makeElf({ machine: 3 }), "host-needs.wrong-architecture"],
    ["linux-x64", "one for musl", makeElf({ interpreter: musl, needed: [] }), "host-needs.wrong-libc"],
    [
      "linux-x64-musl",
      "one for glibc",
      makeElf({ interpreter: loader, needed: [] }),
      "host-needs.wrong-libc",
    ],
    ["linux-x64", "half a header", makeElf().subarray(0, 40), "host-needs.malformed-elf"],
    ["darwin-arm64", "an ELF file", makeElf({ machine: arm64 }), "host-needs.not-an-executable"],
    ["darwin-arm64", "a Mach-O library", machO(0x0100000c, 6), "host-needs.not-an-executable"],
    [
      "darwin-arm64",
      "a Java class",
      Buffer.from(`cafebabe00000041${"00".repeat(60)}`, "hex"),
      "host-needs.not-an-executable",
    ],
    ["darwin-arm64", "one for x64", machO(0x01000007), "host-needs.wrong-architecture"],
    ["darwin-arm64", "a universal one without arm64", universal(0x01000007), "host-needs.wrong-architecture"],
  ] as const)("for %s refuses %s", async (id, _, bytes, code) => {
    const path = join(root, put("tool", bytes));
    await expect(assertExecutableOf(toTarget(id), path, "tool")).rejects.toMatchObject({ code });
  });
});
