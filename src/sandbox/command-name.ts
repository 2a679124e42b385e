import { sandboxError } from "./errors.ts";

const commandName = /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}$/;

/** A command's plain name: no path, no option, nothing that a shell reads. @throws `sandbox.bad-command` */
export function assertCommandName(name: string): void {
  if (commandName.test(name)) return;
  throw sandboxError("sandbox.bad-command", {
    subject: "command name",
    expected: "letters, digits and ._+- only",
    got: JSON.stringify(name.slice(0, 80)),
  });
}
