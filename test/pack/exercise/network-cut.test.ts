import { describe, expect, it } from "vitest";
import { isNetworkCut } from "../../../src/pack/exercise/network-cut.ts";

const head = `Inter-|   Receive                            |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
`;
const lo = "    lo:    1234 5 0 0 0 0 0 0 1234 5 0 0 0 0 0 0\n";
const quiet =
  " sit0:       0       0    0    0    0     0          0         0        0       0    0    0    0     0       0          0\n";
const busy = "  eth0: 5005 12 0 0 0 0 0 0 5005 12 0 0 0 0 0 0\n";
const routeHead = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n";
const route = "eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0\n";
const zeros = "0".repeat(32);
const v6 = (device: string): string =>
  `${zeros} 00 ${zeros} 00 ${zeros} ffffffff 00000001 00000000 00200200       ${device}\n`;

describe("isNetworkCut", () => {
  it.each([
    ["only loopback", { dev: head + lo }, true],
    ["loopback's own routes", { dev: head + lo, route: routeHead, ipv6Route: v6("lo") }, true],
    ["a tunnel that never carried anything", { dev: head + lo + quiet }, true],
    ["an interface that did", { dev: head + lo + busy }, false],
    ["a route over another interface", { dev: head + lo + quiet, route: routeHead + route }, false],
    [
      "an IPv6 route over another interface",
      { dev: head + lo + quiet, ipv6Route: v6("lo") + v6("eth0") },
      false,
    ],
    [
      "an interface whose name ends in lo",
      { dev: `${head}${lo} dhlo: 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n` },
      false,
    ],
    ["an interface whose name ends in lo, by route", { dev: head + lo, ipv6Route: v6("dhlo") }, false],
    ["no loopback: a table that was not understood", { dev: head }, false],
    ["nothing", { dev: "" }, false],
  ])("%s: %o is %s", (_, tables, cut) => {
    expect(isNetworkCut({ route: "", ipv6Route: "", ...tables })).toBe(cut);
  });
});
