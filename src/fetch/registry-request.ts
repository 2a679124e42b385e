import registryFetch from "npm-registry-fetch";
import { fetchError } from "./errors.ts";
import type { NpmOptions } from "./npm-options.ts";
import { showUrl } from "./tarball-url.ts";

export interface RegistryRequest {
  readonly url: string;
  /** The package that the request is for: picks its scope's registry and credentials. */
  readonly name: string;
  /** What messages call it: name@version. */
  readonly subject: string;
  readonly npm: NpmOptions;
  readonly signal: AbortSignal;
  readonly accept?: string;
}

/** Longest silence on a connection; npm's own setting counts where it is shorter. */
const idleMs = 60_000;

/**
 * One GET as npm would do it: its proxy, certificates, retries, and credentials only for the registry they are
 * configured for. npm's cache stays out of it.
 * @throws fetch.not-found, fetch.unauthorized, fetch.http-status, fetch.network, fetch.timeout
 */
export async function request(wanted: RegistryRequest): Promise<AsyncIterable<Uint8Array>> {
  try {
    const response = await registryFetch(wanted.url, toFetchOptions(wanted));
    return response.body as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toFetchError(error, wanted);
  }
}

function toFetchOptions({ npm, name, signal, accept }: RegistryRequest): registryFetch.Options {
  return {
    ...npm,
    spec: name,
    signal,
    cache: null,
    offline: false,
    preferOffline: false,
    preferOnline: true,
    retry: { retries: 2, ...(npm.retry as object | undefined), minTimeout: 1_000, maxTimeout: 10_000 },
    timeout: typeof npm.timeout === "number" && npm.timeout > 0 ? Math.min(npm.timeout, idleMs) : idleMs,
    headers: { accept: accept ?? "*/*" },
  } as unknown as registryFetch.Options;
}

/**
 * Reads a body chunk by chunk. Whoever reads it stops where it gets too long.
 * @throws fetch.broken, fetch.timeout
 */
export async function* readBody(
  body: AsyncIterable<Uint8Array>,
  wanted: RegistryRequest,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toFetchError(error, wanted, "fetch.broken");
  }
}

/** Names the package and the address without user, password and query: a URL may carry a secret. */
function toFetchError(
  error: unknown,
  { url, subject, signal }: RegistryRequest,
  otherwise: "fetch.network" | "fetch.broken" = "fetch.network",
): unknown {
  const { statusCode, code, type } = error as { statusCode?: number; code?: string; type?: string };
  const expected = `an answer from ${showUrl(url)}`;
  if (statusCode !== undefined) {
    return fetchError(toStatusCode(statusCode), { subject, expected, got: `HTTP status ${statusCode}` });
  }
  if (signal.aborted && (signal.reason as Error | undefined)?.name !== "TimeoutError") return signal.reason;
  const isLate = signal.aborted || /timeout/i.test(`${code} ${type}`);
  const got = code ?? (error instanceof Error ? error.name : "an error");
  return fetchError(isLate ? "fetch.timeout" : otherwise, { subject, expected, got });
}

function toStatusCode(status: number) {
  if (status === 404 || status === 410) return "fetch.not-found";
  return status === 401 || status === 403 ? "fetch.unauthorized" : "fetch.http-status";
}
