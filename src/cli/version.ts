import { readFileSync } from "node:fs";

/** The version of the package that this file is part of; from src/cli and from dist/cli it stands two levels up. */
export function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
