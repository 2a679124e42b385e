import { fetchError } from "./errors.ts";
import type { NpmOptions } from "./npm-options.ts";
import { request, toFetchError } from "./registry-request.ts";
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
  const document = await readJson(wanted);
  const tarball = pick(document, "versions", version, "dist", "tarball");
  return typeof tarball === "string" ? toResolvedUrl(tarball, registry, npm, subject) : undefined;
}

async function readJson(wanted: Parameters<typeof request>[0]): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of await request(wanted)) {
      bytes += chunk.length;
      if (bytes > packumentLimit) {
        throw fetchError("fetch.too-large", {
          subject: wanted.subject,
          expected: `an index of at most ${packumentLimit} bytes`,
          got: "more",
        });
      }
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    throw toFetchError(error, wanted);
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
