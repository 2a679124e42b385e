import { truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ArchiveSource, readAt, withArchive } from "../../src/archive/archive-source.ts";
import { defaultLimits } from "../../src/archive/limits.ts";
import { tempDir } from "../support/temp-dir.ts";

async function use<Result>(act: (source: ArchiveSource, file: string) => Promise<Result>): Promise<Result> {
  const file = join(tempDir(), "a.tgz");
  writeFileSync(file, "0123456789");
  const options = { label: "pkg@1.0.0", limits: defaultLimits, signal: undefined };
  return await withArchive(file, options, (source) => act(source, file));
}

describe("withArchive", () => {
  it("reads any part", async () => {
    expect(await use(async (source) => String(await readAt(source, 2, 3)))).toBe("234");
  });

  it.each<[string, (source: ArchiveSource, file: string) => Promise<unknown>]>([
    ["touched", async (_, file) => utimesSync(file, 1, 1)],
    ["grown", async (_, file) => writeFileSync(file, "x", { flag: "a" })],
    ["overwritten with as many bytes", async (_, file) => writeFileSync(file, "9876543210")],
    [
      "cut before it is read",
      async (source, file) => {
        truncateSync(file, 1);
        await readAt(source, 2, 3);
      },
    ],
  ])("notices a file that is %s while it is open", async (_, act) => {
    await expect(use(act)).rejects.toMatchObject({ code: "archive.changed" });
  });
});
