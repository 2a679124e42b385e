import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";

/** A seeded generator of numbers in [0, 1), so that a failing case can be run again. */
export function toRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const names = ["a", "b", "ab", "foo", "src", "a.ts", "b.md", ".env", "x y", "é"];
const parts = [
  ...names,
  "*",
  "**",
  "*.ts",
  "?",
  "a*",
  "[ab]",
  "[^a]",
  "**",
  "a?",
  "*.md",
  ".*",
  "\\*",
  "a**",
  "**b",
];

/** Files, links and folders, empty ones too, three levels deep. */
export function makeRandomTree(folder: string, random: () => number, depth = 0): void {
  for (const name of names) {
    if (random() >= 0.45) continue;
    const path = `${folder}/${name}`;
    if (depth < 3 && random() < 0.5) {
      mkdirSync(path);
      makeRandomTree(path, random, depth + 1);
    } else if (random() < 0.1) symlinkSync("a", path);
    else writeFileSync(path, name);
  }
}

/** One to five rules, with exceptions, slashes at either end, dots and blanks. */
export function toRandomRules(random: () => number): string {
  const count = 1 + Math.floor(random() * 5);
  return `${Array.from({ length: count }, () => toRandomRule(random)).join("\n")}\n`;
}

function toRandomRule(random: () => number): string {
  const pick = () => parts[Math.floor(random() * parts.length)] as string;
  let rule = Array.from({ length: 1 + Math.floor(random() * 3) }, pick).join("/");
  if (random() < 0.1) rule = `/${rule}`;
  if (random() < 0.1) rule = `${rule}/`;
  if (random() < 0.05) rule = `${rule}/../${pick()}`;
  if (random() < 0.35) rule = `!${rule}`;
  return random() < 0.05 ? ` ${rule} ` : rule;
}
