import { fetchError } from "./errors.ts";
import type { NpmOptions } from "./npm-options.ts";
import { type RegistryRequest, readBody, request } from "./registry-request.ts";
import { toRegistry, toResolvedUrl } from "./tarball-url.ts";

const packumentLimit = 128 * 1024 * 1024;
const abbreviated = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

/**
 * The URL that the registry's own index gives for a version: for registries that keep archives at unconventional
 * places. Undefined where the index does not have it.
 * @throws fetch.*
 */
export async function readDistTarball(
  { name, version }: { readonly name: string; readonly version: string },
  npm: NpmOptions,
  signal: AbortSignal,
  limit = packumentLimit,
): Promise<string | undefined> {
  const subject = `${name}@${version}`;
  const registry = toRegistry(name, npm);
  const wanted = {
    url: `${registry}/${name.replace("/", "%2f")}`,
    name,
    subject,
    npm,
    signal,
    accept: abbreviated,
  };
  const document = await readJson(wanted, Math.min(limit, packumentLimit));
  const tarball = pick(document, "versions", version, "dist", "tarball");
  return typeof tarball === "string" ? toResolvedUrl(tarball, registry, npm, subject) : undefined;
}

async function readJson(wanted: RegistryRequest, limit: number): Promise<unknown> {
  const { subject } = wanted;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readBody(await request(wanted), wanted)) {
    bytes += chunk.length;
    if (bytes > limit) {
      const expected = `an index of at most ${limit} bytes`;
      throw fetchError("fetch.too-large", { subject, expected, got: "more" });
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw fetchError("fetch.index-format", {
      subject,
      expected: "JSON from the registry's index",
      got: "other bytes",
    });
  }
}

function pick(value: unknown, ...keys: readonly string[]): unknown {
  let current = value;
  for (const key of keys) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
