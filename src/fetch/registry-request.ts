import registryFetch from "npm-registry-fetch";
import { isSealpackError } from "../errors.ts";
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
    fetchRetryMintimeout: 1_000,
    fetchRetryMaxtimeout: 10_000,
    timeout: Math.min(toMilliseconds(npm.timeout), toMilliseconds(npm.fetchTimeout), idleMs),
    headers: { accept: accept ?? "*/*" },
  } as unknown as registryFetch.Options;
}

function toMilliseconds(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : idleMs;
}

/** Names the package and the address without user, password and query: a URL may carry a secret. */
export function toFetchError(
  error: unknown,
  wanted: Pick<RegistryRequest, "url" | "subject" | "signal">,
): unknown {
  if (isSealpackError(error)) return error;
  const { subject } = wanted;
  const expected = `an answer from ${showUrl(wanted.url)}`;
  const { statusCode, code } = error as { readonly statusCode?: number; readonly code?: string };
  if (statusCode !== undefined) {
    return fetchError(toStatusCode(statusCode), { subject, expected, got: `HTTP status ${statusCode}` });
  }
  const reason = wanted.signal.aborted ? (wanted.signal.reason as unknown) : undefined;
  if (isSealpackError(reason) || (reason as Error | undefined)?.name === "AbortError") return reason;
  const isLate =
    (reason as Error | undefined)?.name === "TimeoutError" ||
    /TIMEOUT/i.test(`${code ?? ""} ${typeOf(error)}`);
  return fetchError(isLate ? "fetch.timeout" : "fetch.network", {
    subject,
    expected,
    got: code ?? nameOf(error),
  });
}

function toStatusCode(status: number) {
  if (status === 404 || status === 410) return "fetch.not-found";
  return status === 401 || status === 403 ? "fetch.unauthorized" : "fetch.http-status";
}

function typeOf(error: unknown): string {
  return String((error as { readonly type?: unknown }).type ?? "");
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "an error";
}
