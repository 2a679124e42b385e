import { sandboxError } from "./errors.ts";

/** One word of POSIX sh that stands for exactly these characters. @throws `sandbox.bad-command` for NUL, which no argument can hold. */
export function toShellWord(value: string): string {
  assertNoNul(value);
  return `'${value.replaceAll("'", "'\\''")}'`;
}

export function toShellWords(values: readonly string[]): string {
  return values.map(toShellWord).join(" ");
}

/** @throws `sandbox.bad-command` */
export function assertNoNul(value: string): void {
  if (!value.includes("\0")) return;
  throw sandboxError("sandbox.bad-command", { subject: "command", expected: "no NUL byte", got: "one" });
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `NAME='value'` lines that export. @throws `sandbox.bad-command` for a name that no shell can set. */
export function toExports(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => {
      assertVariableName(name);
      return `${name}=${toShellWord(value)};export ${name}\n`;
    })
    .join("");
}

/** @throws `sandbox.bad-command` */
export function assertVariableName(name: string): void {
  if (variableName.test(name)) return;
  throw sandboxError("sandbox.bad-command", {
    subject: "environment",
    expected: "names of letters, digits and underscores",
    got: JSON.stringify(name.slice(0, 80)),
  });
}
