// Each command of a sealed pack and what it prints for its version, apart by a TAB.
import { readFileSync } from "node:fs";

const { payload } = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const [name, { version }] of Object.entries(payload.commands))
  process.stdout.write(`${name}\t${version}\n`);
