/** What a mock provider does with one request for a completion. */
export type Reply =
  /** Streams what the user said, word by word, and ends well. */
  | { readonly kind: "echo" }
  /** Streams the pieces, one event each, and ends well. */
  | { readonly kind: "text"; readonly pieces: readonly string[] }
  /** Asks for one tool call and ends well. */
  | { readonly kind: "tool"; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  /** Streams the pieces, then nothing, with the connection open. */
  | { readonly kind: "stall"; readonly pieces: readonly string[] }
  /** Answers with an error status. */
  | { readonly kind: "status"; readonly status: number }
  /** Streams the pieces, then breaks the connection. */
  | { readonly kind: "cut"; readonly pieces: readonly string[] }
  /** Streams the pieces, then an event that is not JSON. */
  | { readonly kind: "malformed"; readonly pieces: readonly string[] };

/** How a protocol writes what replies are made of, as whole server-sent events. */
export interface Wire {
  start(): string;
  piece(text: string): string;
  /** After all pieces, which together are `text`. */
  end(text: string): string;
  /** A whole answer: one call of a tool. */
  tool(name: string, input: Readonly<Record<string, unknown>>): string;
  readonly malformed: string;
  error(status: number): unknown;
}
