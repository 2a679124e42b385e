import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { smallPack, smallRevision, writeSmallPack } from "../../support/small-pack.ts";
import { tempDir } from "../../support/temp-dir.ts";

/*
 * Outputs on file systems of their own: full, read-only, another device. They need a mount, which a container may forbid
 * and which then fails here, so they are rows of `test:real`, not of `npm test`. All of it happens in a mount namespace
 * that ends with its shell; nothing is mounted where others see it.
 */
const main = join(import.meta.dirname, "../../../src/cli/main.ts");

/** Runs a shell script in a new mount namespace, `sealpack` as a function of it, in a folder with a small pack. */
function inNamespace(script: string) {
  const dir = tempDir();
  writeSmallPack(smallPack(), join(dir, "pack"), join(dir, "cache"));
  mkdirSync(join(dir, "fs"));
  const prelude = `
    set -u
    sealpack() { "${process.execPath}" "${main}" "$@"; }
    build() { sealpack build pack --out "$1" --target linux-x64 --cache cache --offline --no-exercise \
      --source-revision ${smallRevision} >"$dir/log" 2>&1; }
    dir=$PWD
  `;
  writeFileSync(join(dir, "script"), prelude + script);
  const flags = process.getuid?.() === 0 ? ["-m"] : ["-rm"];
  const { status, stdout, stderr } = spawnSync("unshare", [...flags, "sh", "script"], {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: "/nonexistent", TMPDIR: dir },
    encoding: "utf8",
  });
  return { status, lines: stdout.trimEnd().split("\n"), stderr };
}

test("a full disk leaves the previous pack whole and nothing beside it, wherever it fills up", () => {
  const { status, lines, stderr } = inNamespace(`
    mount -t tmpfs -o size=8m tmpfs fs || exit 9
    build fs/out || exit 8
    used=$(du -sk fs | cut -f1)
    before=$(sha256sum fs/out/sealpack.tree)
    free=0
    while :; do
      mount -o remount,size=$((used + free))k fs || exit 7
      build fs/out
      code=$?
      [ "$code" -eq 0 ] && break
      echo "$code $(grep -o 'pack\\.[a-z-]*\\|archive\\.[a-z-]*\\|cli\\.[a-z-]*' log | head -n 1)"
      [ "$(ls -A fs)" = out ] || { echo "left: $(ls -A fs)"; exit 6; }
      [ "$(sha256sum fs/out/sealpack.tree)" = "$before" ] || exit 5
      sealpack verify fs/out >/dev/null || exit 4
      free=$((free + 12))
    done
    echo "$free"
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const failures = lines.slice(0, -1);
  expect(failures.length).toBeGreaterThan(5);
  expect(new Set(failures)).toEqual(new Set(["3 pack.no-space"]));
});

test("a read-only output says so and stays as it is", () => {
  const { status, lines, stderr } = inNamespace(`
    mount -t tmpfs tmpfs fs || exit 9
    build fs/out || exit 8
    mount -o remount,ro fs || exit 7
    build fs/out
    echo "$? $(grep -o 'pack\\.[a-z-]*' log | head -n 1)"
    build fs/new
    echo "$? $(grep -o 'pack\\.[a-z-]*' log | head -n 1)"
    sealpack verify fs/out >/dev/null && ls -A fs
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(lines).toEqual(["3 pack.not-writable", "3 pack.not-writable", "out"]);
});

test("a mount point is no output; a folder below one is, on whatever device the pack stands", () => {
  const { status, lines, stderr } = inNamespace(`
    mount -t tmpfs tmpfs fs || exit 9
    build fs
    echo "$? $(grep -o 'pack\\.[a-z-]*' log | head -n 1)"
    ls -A fs
    build fs/out
    echo "$?"
    build fs/out
    echo "$?"
    ls -A fs
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(lines).toEqual(["2 pack.output-on-other-device", "0", "0", "out"]);
});
