import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("every attack of docs/admission.md is a test, and every attack on admission is in it", () => {
  const [, table = ""] = read("docs/admission.md").split("## Attacks");
  const rows = table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| what"));
  const named = rows.flatMap((line) =>
    [...(line.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1]),
  );
  const attacks = [...read("test/attacks/admission.docker.ts").matchAll(/name: "([^"]+)"/g)].map(
    (match) => match[1],
  );
  const others = globSync("test/admission/*.ts", { cwd: root }).map(read).join("\n");
  expect(rows.length).toBeGreaterThan(10);
  expect(attacks.filter((name) => !named.includes(name))).toEqual([]);
  const missing = named.filter(
    (name = "") => !attacks.includes(name) && !new RegExp(`(test|name:?)\\(?.*${name}`).test(others),
  );
  expect(missing).toEqual([]);
});
