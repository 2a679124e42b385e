/**
 * The text of the last message of the user, in any of the three protocols: `content` is a string, or parts of which
 * those with a `text` count; what the CLI itself adds (`<system-reminder>`, `<environment_context>`) is left out.
 */
export function lastText(messages: unknown): string {
  const users = (Array.isArray(messages) ? messages : []).filter((message) => message?.role === "user");
  const content: unknown = users.at(-1)?.content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
  const texts = parts
    .map((part) => (part as { readonly text?: unknown })?.text)
    .filter((text) => typeof text === "string");
  return texts.filter((text) => !text.startsWith("<")).at(-1) ?? "";
}
