/** What a network namespace says of itself: the text of `/proc/net/<name>`, "" where there is no such file. */
export interface NetworkTables {
  readonly dev: string;
  readonly route: string;
  readonly ipv6Route: string;
}

/**
 * Whether nothing but loopback can carry a byte: no route over another interface, and no other interface that ever did.
 * (A new namespace may hold tunnel devices that are down.) An unreadable table means no.
 */
export function isNetworkCut(tables: NetworkTables): boolean {
  const devices = toLines(tables.dev).filter((line) => line.includes(":"));
  const names = devices.map((line) => line.slice(0, line.indexOf(":")).trim());
  const routes = toLines(tables.route).filter((line) => !line.startsWith("Iface"));
  return (
    names.includes("lo") &&
    devices.every((line) => line.trim().startsWith("lo:") || isSilent(line)) &&
    routes.every((line) => /^lo\s/.test(line)) &&
    toLines(tables.ipv6Route).every((line) => /\slo$/.test(line.trimEnd()))
  );
}

/** All counters zero: nothing was ever received or sent. */
function isSilent(line: string): boolean {
  return /^[\s0]+$/.test(line.slice(line.indexOf(":") + 1));
}

function toLines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
