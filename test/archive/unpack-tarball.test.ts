import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { defaultLimits, type Limits } from "../../src/archive/limits.ts";
import { unpackTarball } from "../../src/archive/unpack-tarball.ts";
import { bomb, directory, entry, file, header, longName, pax, sri, tar, tgz } from "../support/tarball.ts";
import { tempDir } from "../support/temp-dir.ts";

/** An archive and a destination in one folder of another, so that anything written beside them or above is seen. */
function arrange(archive: Uint8Array, integrity = sri(archive)) {
  const root = join(tempDir(), "inner");
  mkdirSync(root);
  writeFileSync(join(root, "a.tgz"), archive);
  return {
    root,
    job: { file: join(root, "a.tgz"), integrity, destination: join(root, "out"), label: "pkg@1.0.0" },
  };
}

/** `path mode bytes` of everything below a folder; a link shows as one. */
function list(root: string): string[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  return names.map((name) => {
    const stat = lstatSync(join(root, name));
    return `${name} ${(stat.mode & 0o7777).toString(8)} ${stat.isFile() ? readFileSync(join(root, name), "latin1") : stat.isDirectory() ? "/" : "?"}`;
  });
}

const sound = tgz(
  file("package/a", "A"),
  file("package/bin/b", "B", { mode: 0o744 }),
  directory("package/c/d/"),
);

describe("unpackTarball", () => {
  it("strips the first name, makes folders, normalises modes whatever the umask", async () => {
    const { job } = arrange(
      tgz(file("any/x/a", "A", { mode: 0o600 }), file("other/b", "B", { mode: 0o777 })),
    );
    const before = process.umask(0o077);
    const result = await unpackTarball(job).finally(() => process.umask(before));
    expect(result).toEqual({ files: 2, bytes: 2, entries: 2 });
    expect(list(job.destination)).toEqual(["b 755 B", "x 755 /", "x/a 644 A"]);
    expect(lstatSync(job.destination).mode & 0o777).toBe(0o755);
  });

  it("unpacks beside what is there, as nested packages do", async () => {
    const { job } = arrange(sound);
    mkdirSync(join(job.destination, "bin"), { recursive: true });
    await unpackTarball(job);
    expect(list(job.destination)).toEqual(["a 644 A", "bin 755 /", "bin/b 755 B", "c 755 /", "c/d 755 /"]);
  });

  it("writes a file of many chunks", async () => {
    const body = Buffer.alloc(3_000_001, "0123456789abcdef-");
    const { job } = arrange(tgz(file("package/a", body)));
    await unpackTarball(job);
    expect(readFileSync(join(job.destination, "a")).equals(body)).toBe(true);
  });

  it("stops when told to", async () => {
    const { job } = arrange(sound);
    await expect(unpackTarball({ ...job, signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(existsSync(job.destination)).toBe(false);
  });

  it.each(["gnu", "ustar", "posix", "v7"])("gives the tree that tar gives: %s", async (format) => {
    const root = tempDir();
    const source = join(root, "package");
    mkdirSync(join(source, "lib", `deep-${"d".repeat(60)}`, format === "v7" ? "e" : "e".repeat(60)), {
      recursive: true,
    });
    writeFileSync(join(source, "package.json"), "{}");
    writeFileSync(join(source, "lib", "empty"), "");
    writeFileSync(join(source, "lib", "ünïcode"), "u");
    writeFileSync(join(source, "lib", `deep-${"d".repeat(60)}`, "big"), Buffer.alloc(1_300_000, "big "));
    writeFileSync(join(source, "run"), "#!/bin/sh\n");
    chmodSync(join(source, "run"), 0o755);
    execFileSync("tar", ["-C", root, `--format=${format}`, "-czf", join(root, "a.tgz"), "package"]);
    mkdirSync(join(root, "oracle"));
    execFileSync("tar", ["-C", join(root, "oracle"), "--strip-components=1", "-xzf", join(root, "a.tgz")]);
    const integrity = sri(readFileSync(join(root, "a.tgz")));
    await unpackTarball({ file: join(root, "a.tgz"), integrity, destination: join(root, "out") });
    expect(list(join(root, "out"))).toEqual(list(join(root, "oracle")));
    expect(list(join(root, "out")).length).toBeGreaterThan(6);
  });
});

describe("unpackTarball checks the digest first", () => {
  it.each<[string, Uint8Array]>([
    ["flipped byte", Uint8Array.from(sound, (byte, index) => (index === 40 ? byte ^ 1 : byte))],
    ["cut", sound.subarray(0, 60)],
    ["empty", new Uint8Array()],
    ["no gzip at all", Buffer.from("<html>not found</html>")],
    ["grown", Buffer.concat([sound, Buffer.from("x")])],
  ])("%s", async (_, archive) => {
    const { root, job } = arrange(archive, sri(sound));
    await expect(unpackTarball(job)).rejects.toMatchObject({ code: "archive.integrity" });
    expect(readdirSync(root)).toEqual(["a.tgz"]);
  });
});

describe("unpackTarball refuses to read", () => {
  it("a missing file, a link, a directory, a FIFO", async () => {
    const { root, job } = arrange(sound);
    symlinkSync("a.tgz", join(root, "link"));
    execFileSync("mkfifo", [join(root, "fifo")]);
    for (const name of ["missing", "link", ".", "fifo"]) {
      await expect(unpackTarball({ ...job, file: join(root, name) })).rejects.toMatchObject({
        code: "archive.unreadable",
      });
    }
  });
});

describe("unpackTarball notices", () => {
  it("a destination that cannot be made or written", async () => {
    const { root, job } = arrange(tgz(longName(`package${`/${"n".repeat(250)}`.repeat(3)}`), file("x")));
    const deep = join(root, ...Array<string>(14).fill("d".repeat(250)));
    for (const destination of [join(job.file, "below-a-file"), deep]) {
      await expect(unpackTarball({ ...job, destination })).rejects.toMatchObject({
        code: "archive.write-failed",
      });
    }
  });
});

describe("unpackTarball refuses, and leaves nothing outside", () => {
  const raw = tar(file("package/a", "A".repeat(2000)));
  const zipped = gzipSync(raw);
  const small = (change: Partial<Limits>) => ({ ...defaultLimits, ...change });
  const MiB = 1024 * 1024;
  it.each<[string, string, Uint8Array, Limits?]>([
    ["a second gzip member", "archive.gzip-trailing", Buffer.concat([zipped, zipped])],
    ["garbage behind the member", "archive.gzip-trailing", Buffer.concat([zipped, Buffer.from("garbage")])],
    ["zeros behind the member", "archive.gzip-trailing", Buffer.concat([zipped, Buffer.alloc(2 * MiB)])],
    ["much garbage behind it", "archive.gzip-trailing", Buffer.concat([zipped, Buffer.alloc(4 * MiB, "x")])],
    ["a cut member", "archive.gzip-truncated", zipped.subarray(0, zipped.length - 12)],
    ["a member without its trailer", "archive.gzip-truncated", zipped.subarray(0, zipped.length - 8)],
    ["only a header", "archive.gzip-truncated", zipped.subarray(0, 12)],
    ["an empty file", "archive.gzip-truncated", new Uint8Array()],
    ["a plain tar", "archive.gzip-header", raw],
    ["no deflate data", "archive.gzip-data", Buffer.concat([zipped.subarray(0, 10), Buffer.alloc(64, 0xff)])],
    ["a wrong checksum", "archive.gzip-checksum", bomb(raw, Buffer.alloc(0), 1)],
    ["a cut tar", "archive.truncated", gzipSync(raw.subarray(0, 1200))],
    ["an empty tar", "archive.truncated", gzipSync("")],
    ["too large an archive", "archive.too-large", zipped, small({ compressedBytes: 20 })],
    [
      "link out, then a file through it",
      "archive.symlink",
      tgz(entry({ name: "package/l", type: "2", linkName: ".." }), file("package/l/x", "x")),
    ],
    [
      "link inside, then a file through it",
      "archive.symlink",
      tgz(
        directory("package/d"),
        entry({ name: "package/l", type: "2", linkName: "d" }),
        file("package/l/x"),
      ),
    ],
    [
      "hard link out",
      "archive.hard-link",
      tgz(entry({ name: "package/l", type: "1", linkName: "/etc/passwd" })),
    ],
    [
      "hard link to a later name",
      "archive.hard-link",
      tgz(file("package/a"), entry({ name: "package/l", type: "1", linkName: "package/a" })),
    ],
    [
      "NFC link against NFD file",
      "archive.symlink",
      tgz(entry({ name: "package/caf\u00e9", type: "2", linkName: "/tmp" }), file("package/cafe\u0301/x")),
    ],
    ["`FOO/` against `foo`", "archive.path-collision", tgz(directory("package/FOO/"), file("package/foo"))],
    ["ß against ss", "archive.path-collision", tgz(file("package/\u00df/a"), file("package/ss/b"))],
    ["absolute path", "archive.path-absolute", tgz(file("/tmp/sealpack-escape", "x"))],
    ["absolute path by prefix", "archive.path-absolute", tgz(file("escape", "x", { prefix: "/tmp" }))],
    [
      "absolute path by pax",
      "archive.path-absolute",
      tgz(pax({ path: "/tmp/sealpack-escape" }), file("package/a")),
    ],
    [
      "absolute path by GNU long name",
      "archive.path-absolute",
      tgz(longName("/tmp/sealpack-escape"), file("package/a")),
    ],
    ["absolute path once stripped", "archive.path-segment", tgz(file("package//tmp/x"))],
    ["drive path once stripped", "archive.path-drive", tgz(file("package/C:/x"))],
    ["path out", "archive.path-parent", tgz(file("package/../../escape", "x"))],
    ["path out by prefix", "archive.path-parent", tgz(file("escape", "x", { prefix: "package/../.." }))],
    ["path out by pax", "archive.path-parent", tgz(pax({ path: "package/../../escape" }), file("package/a"))],
    [
      "path out by GNU long name",
      "archive.path-parent",
      tgz(longName("package/../../escape"), file("package/a")),
    ],
    ["path out where the first name is `..`", "archive.path-parent", tgz(file("../escape", "x"))],
    ["path out by backslash", "archive.path-backslash", tgz(file("package\\..\\..\\escape", "x"))],
    [
      "zero byte by pax",
      "archive.path-control",
      tgz(pax({ path: "package/a\0/../../b" }), file("package/a")),
    ],
    ["a file beside the folder", "archive.path-rootless", tgz(file("escape", "x"))],
    ["a file with a slash at its end", "archive.path-segment", tgz(file("package/a/"))],
    ["a file twice", "archive.path-duplicate", tgz(file("package/a", "1"), file("package/a", "2"))],
    ["a file twice by two roots", "archive.path-duplicate", tgz(file("package/a", "1"), file("x/a", "2"))],
    ["setuid", "archive.mode-special", tgz(file("package/a", "", { mode: 0o4755 }))],
    [
      "pax header of 1 GB",
      "archive.extension-too-large",
      bomb(header({ name: "x", type: "x", size: 1024 ** 3 }), Buffer.alloc(MiB, "9"), 1024),
    ],
    [
      "10 million empty entries",
      "archive.too-many-entries",
      bomb(
        file("p/a"),
        Buffer.concat(Array.from({ length: 2048 }, (_, index) => directory(`p${index}`))),
        5000,
      ),
      small({ entries: 20_000 }),
    ],
    ["folders inside one another", "archive.path-too-deep", tgz(longName(`p${"/a".repeat(64)}`), file("x"))],
    [
      "a bomb of zeros in a file",
      "archive.too-many-bytes",
      bomb(header({ name: "p/a", size: 1024 ** 3 }), Buffer.alloc(MiB), 1000),
      small({ bytes: 16 * MiB }),
    ],
    [
      "a bomb of zeros behind the end mark",
      "archive.too-many-bytes",
      bomb(file("p/a"), Buffer.alloc(MiB), 1000),
      small({ bytes: 64 * MiB }),
    ],
    [
      "a file said to be larger than it is",
      "archive.truncated",
      tgz(header({ name: "package/a", size: 4000 })),
    ],
    [
      "empty deflate blocks without end",
      "archive.gzip-truncated",
      Buffer.concat([zipped.subarray(0, 10), Buffer.alloc(10 * MiB, Buffer.from([0, 0, 0, 0xff, 0xff]))]),
    ],
    [
      "a second deflate stream",
      "archive.gzip-trailing",
      Buffer.concat([zipped.subarray(0, -8), deflateRawSync("x"), zipped.subarray(-8)]),
    ],
  ])("%s: %s", async (_, code, archive, limits) => {
    const { root, job } = arrange(archive);
    await expect(unpackTarball({ ...job, ...(limits && { limits }) })).rejects.toMatchObject({ code });
    expect(readdirSync(root).filter((name) => name !== "a.tgz" && name !== "out")).toEqual([]);
    expect(readdirSync(join(root, ".."))).toEqual(["inner"]);
    expect(existsSync("/tmp/sealpack-escape")).toBe(false);
  });

  it("a file where the entry goes, a link where it goes, a link where its folder goes", async () => {
    for (const name of ["a", "bin"]) {
      const { root, job } = arrange(sound);
      mkdirSync(job.destination);
      mkdirSync(join(root, "elsewhere"));
      symlinkSync(join(root, "elsewhere"), join(job.destination, name));
      await expect(unpackTarball(job)).rejects.toMatchObject({ code: "archive.path-occupied" });
      expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
    }
    const { job } = arrange(sound);
    mkdirSync(job.destination);
    writeFileSync(join(job.destination, "a"), "mine");
    await expect(unpackTarball(job)).rejects.toMatchObject({ code: "archive.path-occupied" });
    expect(readFileSync(join(job.destination, "a"), "utf8")).toBe("mine");
  });
});
