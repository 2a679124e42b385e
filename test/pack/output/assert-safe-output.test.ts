import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  assertSafeOutput,
  isWithin,
  type ProtectedPlaces,
} from "../../../src/pack/output/assert-safe-output.ts";
import { tempDir } from "../../support/temp-dir.ts";

function places(): ProtectedPlaces {
  const root = tempDir();
  for (const name of ["home/work", "repo/.git", "repo/packs/small", "cwd"])
    mkdirSync(join(root, name), { recursive: true });
  const at = (name: string) => join(root, name);
  return { packDir: at("repo/packs/small"), cwd: at("cwd"), home: at("home"), repository: at("repo") };
}

/** What is asked for, and the place that the message names. */
const refused: readonly (readonly [string, (at: ProtectedPlaces) => string, string])[] = [
  ["the root", () => "/", "the root of the file system"],
  ["the home", (at) => at.home, "the home directory"],
  ["what holds the home", (at) => join(at.home, ".."), "the home directory"],
  ["the repository", (at) => at.repository ?? "", "the repository"],
  ["the pack's folder", (at) => at.packDir, "the pack's own folder"],
  ["a folder in the pack's folder", (at) => join(at.packDir, "out"), "the pack's own folder"],
  ["what holds the pack's folder", (at) => join(at.packDir, ".."), "the pack's own folder"],
  ["the working directory", (at) => at.cwd, "the working directory"],
  ["the working directory as a dot", () => ".", "the working directory"],
  ["inside .git", (at) => join(at.repository ?? "", ".git/out"), "a git directory"],
];

for (const [name, toOut, place] of refused) {
  test(`refuses ${name}`, async () => {
    const at = places();
    await expect(assertSafeOutput(toOut(at), at)).rejects.toMatchObject({
      code: "pack.output-unsafe",
      exit: 2,
      message: expect.stringContaining(place),
    });
  });
}

test("refuses the home through a link in the path", async () => {
  const at = places();
  symlinkSync(join(at.home, ".."), join(at.cwd, "elsewhere"));
  await expect(assertSafeOutput("elsewhere/home", at)).rejects.toMatchObject({ code: "pack.output-unsafe" });
});

test("takes a folder of its own, in the repository or the home, existing or not", async () => {
  const at = places();
  expect(await assertSafeOutput(join(at.repository ?? "", "out/pack"), at)).toBe(
    join(at.repository ?? "", "out/pack"),
  );
  expect(await assertSafeOutput(join(at.home, "work"), at)).toBe(join(at.home, "work"));
  expect(await assertSafeOutput("new/pack", at)).toBe(join(at.cwd, "new/pack"));
});

test("a name that begins like a protected one is another name", () => {
  expect(isWithin("/home/me2", "/home/me")).toBe(false);
  expect(isWithin("/home/me/x", "/home/me")).toBe(true);
  expect(isWithin("/anything", "/")).toBe(true);
});
