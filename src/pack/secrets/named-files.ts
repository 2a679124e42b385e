import type { SecretHit } from "./scan-text.ts";

/** The rule for a file's name, or undefined for a file whose name says nothing. */
export function toNamedRule(path: string): ((text: string) => SecretHit[]) | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (name === ".npmrc" || name === "npmrc") return scanNpmrc;
  return isEnvFile(name) ? scanEnvFile : undefined;
}

/** `.env`, `.env.local`, …; not those that are there to be copied and filled in. */
function isEnvFile(name: string): boolean {
  return (name === ".env" || name.startsWith(".env.")) && !/\.(?:example|sample|template|dist)$/.test(name);
}

/** Every assignment with a value. */
export function scanEnvFile(text: string): SecretHit[] {
  const assignment =
    /^[ \t]*(?:export[ \t]+)?[A-Za-z_][A-Za-z0-9_.]*[ \t]*=[ \t]*(?!["']{2}[ \t]*(?:#|\r?$))[^\s#]/gm;
  return toHits(text, assignment, "secrets.env-file", "assignment");
}

/** npm's credentials, for every registry or one; a reference to a variable is none. */
export function scanNpmrc(text: string): SecretHit[] {
  const credential =
    /^[ \t]*(?:[^#;\s=]*:)?_(?:authToken|auth|password)[ \t]*=[ \t]*(?!["']?\$\{[^}]*\}["']?[ \t\r]*$)["']?[^\s"']/gim;
  return toHits(text, credential, "secrets.npmrc", "credential");
}

function toHits(text: string, pattern: RegExp, code: SecretHit["code"], name: string): SecretHit[] {
  return [...text.matchAll(pattern)].map(({ index }) => ({ code, name, index }));
}
