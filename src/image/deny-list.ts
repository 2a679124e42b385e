import { parseReference } from "./reference.ts";

/**
 * Is `image` one of those known to be bad (requirement D7)? An entry names an image by any part of it: the whole reference, its name,
 * the last part of its name, its tag or its digest. Whoever admits or promotes an image asks this with image.yaml's `deny`.
 */
export function isDenied(image: string, deny: readonly string[]): boolean {
  const names = toNames(image);
  return deny.some((entry) => names.includes(entry));
}

function toNames(image: string): string[] {
  const reference = parseReference(image);
  if (reference === undefined) return [image];
  const { name, tag, digest } = reference;
  const last = name.slice(name.lastIndexOf("/") + 1);
  const tagged = tag === undefined ? [] : [tag, `${name}:${tag}`, `${last}:${tag}`];
  return [
    image,
    name,
    last,
    ...tagged,
    ...(digest === undefined ? [] : [digest, digest.slice(7), `${name}@${digest}`]),
  ];
}
