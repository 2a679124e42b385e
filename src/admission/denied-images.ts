/** Images that were found to be bad (D7). */
export const defaultDeniedImages = ["paperclip-runner-e2e-20260826-v2"] as const;

/** Whether a reference names a denied image: by all of it, by the last part of its name, by its tag or by its digest. */
export function isDeniedImage(image: string, denied: readonly string[]): boolean {
  const names = toNames(image.trim().toLowerCase());
  return denied.some((entry) => names.has(entry.trim().toLowerCase()));
}

function toNames(image: string): ReadonlySet<string> {
  const [tagged = "", digest] = image.split("@");
  const colon = tagged.lastIndexOf(":");
  const hasTag = colon > tagged.lastIndexOf("/");
  const name = hasTag ? tagged.slice(0, colon) : tagged;
  const last = name.slice(name.lastIndexOf("/") + 1);
  const tag = hasTag ? [tagged.slice(colon + 1), `${last}${tagged.slice(colon)}`] : [];
  const hex = digest === undefined ? [] : [digest, digest.replace(/^sha256:/, ""), `${name}@${digest}`];
  return new Set([image, tagged, name, last, ...tag, ...hex]);
}
