import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeTogether } from "../../src/lock/write-together.ts";
import { tempDir } from "../support/temp-dir.ts";

const text = (value: string) => Buffer.from(value);

describe("writeTogether", () => {
  it("writes all files and keeps their modes", async () => {
    const folder = tempDir();
    const [a, b] = [join(folder, "a"), join(folder, "b")];
    writeFileSync(a, "old");
    chmodSync(a, 0o640);
    await writeTogether([
      { file: a, bytes: text("new a") },
      { file: b, bytes: text("new b") },
    ]);
    expect([readFileSync(a, "utf8"), readFileSync(b, "utf8")]).toEqual(["new a", "new b"]);
    expect(statSync(a).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).sort()).toEqual(["a", "b"]);
  });

  it("puts the first back when the second cannot be written, and leaves nothing behind", async () => {
    const folder = tempDir();
    const [a, fresh, blocked] = [join(folder, "a"), join(folder, "fresh"), join(folder, "blocked")];
    writeFileSync(a, "old");
    mkdirSync(join(blocked, "x"), { recursive: true });
    const writes = [a, fresh, blocked].map((file) => ({ file, bytes: text("new") }));
    await expect(writeTogether(writes)).rejects.toMatchObject({ code: "lock.write-failed", exit: 3 });
    expect(readFileSync(a, "utf8")).toBe("old");
    expect(readdirSync(folder).sort()).toEqual(["a", "blocked"]);
  });

  it("writes nothing when one cannot even be staged", async () => {
    const folder = tempDir();
    writeFileSync(join(folder, "a"), "old");
    const writes = [join(folder, "a"), join(folder, "missing", "b")].map((file) => ({
      file,
      bytes: text("new"),
    }));
    await expect(writeTogether(writes)).rejects.toMatchObject({ code: "lock.write-failed" });
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a"]);
  });
});
