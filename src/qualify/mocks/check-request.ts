import type { MockRequest, Violation } from "./mock-server.ts";

/** What a protocol expects of one route: every other header and every other key of the body is a violation. */
export interface Expectation {
  readonly method: string;
  readonly path: string;
  /** Queries that are known, "" for none. */
  readonly queries: readonly string[];
  /** Header names that may come, in lower case. */
  readonly headers: readonly string[];
  /** Headers that must have exactly this value. */
  readonly exact: Readonly<Record<string, string>>;
  /** Keys of the body that may come. */
  readonly keys: readonly string[];
  /** Keys that must have exactly this value. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Headers that HTTP itself brings. */
export const transportHeaders = [
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
] as const;

export function checkRequest(request: MockRequest, expected: Expectation): readonly Violation[] {
  const name = `${request.method} ${request.path}`;
  const found = (what: string, got: unknown): Violation[] => [
    { request: name, expected: what, got: String(JSON.stringify(got)).slice(0, 300) },
  ];
  const body = request.body as Readonly<Record<string, unknown>> | undefined;
  if (typeof body !== "object" || body === null) return found("a JSON object as body", body);
  const known = new Set<string>([...expected.headers, ...Object.keys(expected.exact), ...transportHeaders]);
  return [
    ...(expected.queries.includes(request.query) ? [] : found("a known query", request.query)),
    ...Object.keys(request.headers).flatMap((header) =>
      known.has(header) ? [] : found("only known headers", header),
    ),
    ...Object.entries(expected.exact).flatMap(([header, value]) =>
      request.headers[header] === value ? [] : found(`${header}: ${value}`, request.headers[header]),
    ),
    ...Object.keys(body).flatMap((key) => (expected.keys.includes(key) ? [] : found("only known keys", key))),
    ...Object.entries(expected.values).flatMap(([key, value]) =>
      JSON.stringify(body[key]) === JSON.stringify(value)
        ? []
        : found(`${key}: ${JSON.stringify(value)}`, body[key]),
    ),
  ];
}
