import { sandboxError } from "./errors.ts";
import type { SshTarget } from "./ssh-sandbox.ts";

export type SandboxTarget =
  | { readonly kind: "docker"; readonly container: string }
  | { readonly kind: "ssh"; readonly ssh: SshTarget };

const containerName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/;
/** No leading hyphen anywhere: neither part may be read as an option. */
const sshDestination =
  /^(?:([a-zA-Z0-9_][a-zA-Z0-9_.-]*)@)?([a-zA-Z0-9_][a-zA-Z0-9_.-]*|\[[0-9a-fA-F:.]+(?:%[a-zA-Z0-9]+)?\])(?::([0-9]{1,5}))?$/;

/** `docker:<container>` or `ssh:[user@]<host>[:port]`, an IPv6 address in brackets. @throws `sandbox.bad-target` */
export function parseTarget(text: string): SandboxTarget {
  const colon = text.indexOf(":");
  const [kind, rest] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
  if (kind === "docker" && containerName.test(rest)) return { kind, container: rest };
  const ssh = kind === "ssh" ? parseSsh(rest) : undefined;
  if (ssh !== undefined) return { kind: "ssh", ssh };
  throw sandboxError("sandbox.bad-target", {
    subject: "target",
    expected: "docker:<container> or ssh:[user@]<host>[:port]",
    got: JSON.stringify(text.slice(0, 200)),
  });
}

function parseSsh(text: string): SshTarget | undefined {
  const match = sshDestination.exec(text);
  if (match === null) return undefined;
  const [, user, host = "", port] = match;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined;
  const bare = host.replace(/^\[|\]$/g, "");
  const destination = user === undefined ? bare : `${user}@${bare}`;
  return port === undefined ? { destination } : { destination, port: Number(port) };
}
