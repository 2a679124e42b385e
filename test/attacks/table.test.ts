import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { readErrorRows } from "../../scripts/error-tables.ts";

const here = import.meta.dirname;
const row = /^\| (.+) \| \[(.+)\]\((.+)\.test\.ts\) \| (.+) \| `(.+)` \|$/;
const rows = readFileSync(join(here, "README.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, attack, name, file, rule, code] = row.exec(line) ?? [];
    return name === undefined ? [] : [{ attack, name, file, rule, code }];
  });

test("the table has a row for every attack, and no other", () => {
  const files = globSync("*.test.ts", { cwd: here }).map((file) => basename(file, ".test.ts"));
  expect(rows.map(({ file }) => file)).toEqual(files.filter((file) => file !== "table").sort());
  expect(rows.every(({ name, file }) => name === file)).toBe(true);
});

test("each attack is what its row says, and is repelled by the row's code", async () => {
  const codes = new Set((await readErrorRows(join(here, "../.."))).map(({ code }) => code));
  for (const { attack = "", file, code = "" } of rows) {
    const text = readFileSync(join(here, `${file}.test.ts`), "utf8");
    expect([file, text.includes(`test("${attack}"`)]).toEqual([file, true]);
    expect([file, codes.has(code) && text.replaceAll('"', " ").includes(`${code} `)]).toEqual([file, true]);
  }
});
