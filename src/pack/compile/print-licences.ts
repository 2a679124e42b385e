import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { comparePaths } from "../../tree/path-order.ts";
import type { BundledPackage } from "./bundled-packages.ts";

/** The licences of everything in a bundle, as line comments at its end. No text can end a line comment early. */
export function printLicences(packages: readonly BundledPackage[]): string {
  return packages.map(printLicence).join("");
}

function printLicence({ name, version, license, directory }: BundledPackage): string {
  const names = readdirSync(directory).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = names.sort(comparePaths).map((file) => readFileSync(join(directory, file), "utf8"));
  const lines = [
    `${name} ${version} (${license})`,
    ...texts.flatMap((text) => text.trimEnd().split(/\r\n|[\n\r\u2028\u2029]/)),
  ];
  return `//\n${lines.map((line) => `// ${line}`.trimEnd()).join("\n")}\n`;
}
