import type { MockRequest, Violation } from "./mock-server.ts";

/** What a protocol expects of one route: every other query, header or key of the body is a violation. */
export interface Expectation {
  readonly method: string;
  readonly path: string;
  /** Queries that may come, "" for none. */
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
const transportHeaders = ["host", "connection", "content-length", "transfer-encoding", "accept-encoding"];

/** Holds a request against the routes that a protocol has; the first one with its method and path counts. */
export function checkRequest(request: MockRequest, routes: readonly Expectation[]): readonly Violation[] {
  const name = `${request.method} ${request.path}`;
  const found = (expected: string, got: unknown): Violation => ({
    request: name,
    expected,
    got: String(JSON.stringify(got)).slice(0, 300),
  });
  const route = routes.find(({ method, path }) => request.method === method && request.path === path);
  if (route === undefined) {
    return [found(routes.map(({ method, path }) => `${method} ${path}`).join(" or "), "another route")];
  }
  const body = request.body as Readonly<Record<string, unknown>> | undefined;
  if (route.keys.length > 0 && (typeof body !== "object" || body === null))
    return [found("a JSON object", body)];
  const known = [...route.headers, ...Object.keys(route.exact), ...transportHeaders];
  const unknownHeaders = Object.keys(request.headers).filter((header) => !known.includes(header));
  const unknownKeys = Object.keys(body ?? {}).filter((key) => !route.keys.includes(key));
  const wrongHeaders = Object.entries(route.exact).filter(
    ([header, value]) => request.headers[header] !== value,
  );
  const wrongValues = Object.entries(route.values).filter(
    ([key, value]) => JSON.stringify(body?.[key]) !== JSON.stringify(value),
  );
  return [
    ...(route.queries.includes(request.query) ? [] : [found("a known query", request.query)]),
    ...unknownHeaders.map((header) => found("only known headers", header)),
    ...unknownKeys.map((key) => found("only known keys", key)),
    ...wrongHeaders.map(([header]) => found(`the agreed ${header}`, "another")),
    ...wrongValues.map(([key, value]) => found(`${key}: ${JSON.stringify(value)}`, body?.[key])),
  ];
}
