/** An image by name, and by digest where it is pinned. */
export interface ImageReference {
  /** As written, after variables. */
  readonly text: string;
  /** `registry/path`, without tag and digest. */
  readonly name: string;
  readonly tag?: string;
  /** `sha256:` and 64 lowercase hex. */
  readonly digest?: string;
}

/** An image that the build takes from outside, with the line that asks for it. */
export interface PinnedReference extends ImageReference {
  readonly digest: string;
}

const maximumLength = 512;
const domain = "(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?/)?";
const part = "[a-z0-9]+(?:[._-]+[a-z0-9]+)*";
const grammar = new RegExp(
  `^(?<name>${domain}${part}(?:/${part})*)(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$`,
);

/** Reads `[registry/]path[:tag][@sha256:…]`. Undefined for anything else, another digest algorithm included. */
export function parseReference(text: string): ImageReference | undefined {
  if (text.length > maximumLength) return undefined;
  const groups = grammar.exec(text)?.groups;
  if (groups?.name === undefined) return undefined;
  const { name, tag, digest } = groups;
  return { text, name, ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

export function isPinned(reference: ImageReference | undefined): reference is PinnedReference {
  return reference?.digest !== undefined;
}
