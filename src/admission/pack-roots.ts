import { admissionError } from "./errors.ts";

/** Where packs are looked for, in this order (A1). */
export const defaultPackRoots = [
  "/opt/paperclip-runner/provider-pack",
  "$HOME/.local/share/paperclip-runner/provider-pack",
] as const;

const maxRoots = 4;
const form = /^(?:\$HOME)?(?:\/[^/\p{Cc}]+)+$/u;

/**
 * Absolute paths, or paths below `$HOME`, which is the sandbox user's; normal, without a trailing slash.
 * @throws `admission.bad-request`
 */
export function parsePackRoots(roots: readonly string[]): readonly string[] {
  if (roots.length < 1 || roots.length > maxRoots) {
    throw badRoots(`1 to ${maxRoots} roots`, String(roots.length));
  }
  for (const root of roots) {
    const normal = form.test(root) && !root.split("/").some((name) => name === "." || name === "..");
    if (!normal || root.length > 1024) throw badRoots("a normal absolute path, or one below $HOME", root);
  }
  return [...new Set(roots)];
}

function badRoots(expected: string, got: string) {
  return admissionError("admission.bad-request", {
    subject: "packRoots",
    expected,
    got: JSON.stringify(got.slice(0, 200)),
  });
}
