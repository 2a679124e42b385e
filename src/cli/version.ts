import { readFileSync } from "node:fs";

/** Set where the tool is bundled into one file (scripts/bundle.ts): there is no package.json beside it. */
declare const SEALPACK_VERSION: string | undefined;

/** The version of the package that this file is part of; from src/cli and from dist/cli it stands two levels up. */
export function readVersion(): string {
  if (typeof SEALPACK_VERSION === "string") return SEALPACK_VERSION;
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
