/**
 * Q1 from a checkout: qualifies the OpenCode of a built pack, or the executable that PAPERCLIP_TEST_OPENCODE_BINARY names,
 * which must be the version that the default pack declares. Prints the capability report.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { hashFile, readPack } from "../src/bridges/pack-commands.ts";
import { qualifyOpencode } from "../src/qualify/qualify-opencode.ts";
import { toCapabilityReport } from "../src/qualify/qualify-pack.ts";
import type { CheckReport } from "../src/qualify/report.ts";

const root = resolve(import.meta.dirname, "..");
const packRoot = resolve(process.argv[2] ?? `${root}/out/paperclip-runner-linux-x64`);
const other = process.env.PAPERCLIP_TEST_OPENCODE_BINARY;

const time = 60_000;
const onCheck = ({ status, name, milliseconds, code, message }: CheckReport): void => {
  process.stderr.write(
    `${status}  ${name} (${milliseconds} ms)${code === undefined ? "" : `\n    ${code}: ${message}`}\n`,
  );
};

function declaredVersion(): string {
  const definition = parse(readFileSync(`${root}/packs/paperclip-runner/pack.yaml`, "utf8"));
  return String(definition.commands.opencode.version);
}

const pack = other ? undefined : readPack(packRoot);
const executable = other ? resolve(other) : `${packRoot}/node_modules/.bin/opencode`;
const version = pack?.manifest.payload.commands.opencode?.version ?? declaredVersion();
const digests = { executable: hashFile(executable) };
const report = toCapabilityReport(
  [await qualifyOpencode({ executable, version, digests, time, onCheck })],
  pack,
);
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.ok ? 0 : 1;
