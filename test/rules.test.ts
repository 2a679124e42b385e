import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readErrorRows } from "../scripts/error-tables.ts";
import { allMutations } from "../scripts/rules/all.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Codes that no rule on input gives: what the machine refused, what is asked of git, and findings of the other suites. */
const elsewhere: readonly RegExp[] = [
  /^(cli|fetch|exercise|sandbox)\./,
  /^archive\.write-failed$/,
  /^definition\.unreadable$/,
  /^lock\.(unreadable|unloadable|resolution-failed|resolution-unstable|write-failed)$/,
  /^manifest\.changed-while-read$/,
  /^host-needs\.malformed-elf$/,
  /^pack\.(revision-|assert-clean-|dirty$)/,
  /^pack\.(target-unknown|not-found|output-locked|changed-while-exercised)$/,
];

test("every rule that is switched off stands once in its source, and has a test", () => {
  const wrong = allMutations.flatMap(({ rule, file, from, to, tests }) => {
    const count = read(file).split(from).length - 1;
    const missing = tests.filter((name) => !existsSync(join(root, name.split(" > ")[0] ?? "")));
    return count === 1 && from !== to && tests.length > 0 && missing.length === 0
      ? []
      : [`${rule}: ${count} ${missing}`];
  });
  expect(wrong).toEqual([]);
});

test("no rule is listed twice", () => {
  const names = allMutations.map(({ rule }) => rule);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});

test("every code that judges input is among the rules that are switched off", async () => {
  const words = new Set(allMutations.map(({ rule }) => rule.split(" ")[0]));
  const codes = (await readErrorRows(root)).map(({ code }) => code);
  const left = codes.filter((code) => !elsewhere.some((pattern) => pattern.test(code)));
  expect(left.filter((code) => !words.has(code))).toEqual([]);
});
