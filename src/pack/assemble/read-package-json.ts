import { packError } from "../errors.ts";
import { readBoundedFile } from "../read-bounded-file.ts";

const maxBytes = 4 * 1024 * 1024;

/**
 * A package's own package.json, written by whoever published it.
 * @throws pack.package-json-invalid
 */
export async function readPackageJson(
  root: string,
  location: string,
): Promise<Readonly<Record<string, unknown>>> {
  const path = `${location}/package.json`;
  try {
    const bytes = await readBoundedFile(`${root}/${path}`, maxBytes);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not an object");
    return value as Record<string, unknown>;
  } catch (cause) {
    throw packError("pack.package-json-invalid", {
      subject: path,
      expected: `a JSON object of at most ${maxBytes} bytes`,
      got: (cause as Error).message,
      cause,
    });
  }
}
