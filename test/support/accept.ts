import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const rowPattern = /^(ok|not ok) - (.+)$/;

interface Row {
  readonly name: string;
  readonly ok: boolean;
  /** What the failed row printed. */
  readonly output: string[];
}

/**
 * Runs `scripts/accept/<name>.sh` and turns each of its rows into a test. A script that ends early, or whose total is not
 * that of its rows, is a failed test of its own.
 */
export async function acceptRows(name: string): Promise<void> {
  const rows: Row[] = [];
  let total = "";
  const child = spawn("bash", [join(root, "scripts/accept", `${name}.sh`)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const match = rowPattern.exec(line);
    if (match !== null) {
      process.stderr.write(`${line}\n`);
      rows.push({ name: match[2] ?? "", ok: match[1] === "ok", output: [] });
    } else if (/^\d+ passed, \d+ failed$/.test(line)) total = line;
    else rows.at(-1)?.output.push(line);
  }
  for (const row of rows) test(row.name, () => expect(row.ok ? "ok" : row.output.join("\n")).toBe("ok"));
  test("the script ran to its end", () => {
    const passed = rows.filter((row) => row.ok).length;
    expect(total).toBe(`${passed} passed, ${rows.length - passed} failed`);
    expect(rows.length).toBeGreaterThan(0);
  });
}
