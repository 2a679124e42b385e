/**
 * Writes what is generated from the sources: docs/errors.md, docs/cli.md and schemas/pack.schema.json.
 * With --check it writes nothing and fails where a committed file differs.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../src/cli/run-cli.ts";
import { toPackSchema } from "../src/definition/pack-schema.ts";
import { readErrorRows } from "./error-tables.ts";

const check = process.argv.includes("--check");
const files: Readonly<Record<string, string>> = {
  "docs/errors.md": await toErrorsPage(),
  "docs/cli.md": toCliPage(),
  "schemas/pack.schema.json": toPackSchema(),
};

let stale = 0;
for (const [path, text] of Object.entries(files)) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (check) {
    stale += 1;
    process.stderr.write(`${path}: expected what the sources give, got another text; run npm run generate\n`);
    continue;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`wrote ${path}\n`);
}
process.exitCode = stale === 0 ? 0 : 1;

async function toErrorsPage(): Promise<string> {
  const rows = await readErrorRows();
  const lines = rows.map(
    ({ code, meaning, exit, remedy }) => `| \`${code}\` | ${meaning} | ${exit} | ${remedy} |\n`,
  );
  return `# Errors and findings

Every code that sealpack prints. Exit 1: checked and found wrong. Exit 2: bad input or usage. Exit 3: could not check or do
it. A finding of \`verify\` has a code of this table too; its exit is the one of its row.
Generated from the \`errors.ts\` of each room by \`npm run generate\`.

| code | meaning | exit | remedy |
|---|---|---|---|
${lines.join("")}`;
}

function toCliPage(): string {
  const io = {
    stdout: () => {},
    stderr: () => {},
    env: {},
    cwd: "/",
    home: "/",
    isTerminal: false,
    signal: new AbortController().signal,
  };
  const program = createProgram(io, () => {});
  const sections = leaves(program).map(
    (command) => `## ${fullName(command)}\n\n\`\`\`\n${helpOf(command)}\n\`\`\`\n`,
  );
  return `# Command line\n\nGenerated from the commands' own help by \`npm run generate\`.\n\n${sections.join("\n")}`;
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text.trimEnd();
}
