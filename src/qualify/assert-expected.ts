import { qualifyError } from "./errors.ts";
import type { MockServer } from "./mocks/mock-server.ts";

/** @throws `qualify.request`, for the first request that the mock did not expect */
export function assertExpected({ violations }: MockServer): void {
  const [first] = violations;
  if (first === undefined) return;
  const { request, expected, got } = first;
  throw qualifyError("qualify.request", { subject: request, expected, got, details: { violations } });
}
