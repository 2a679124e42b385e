import { describe, expect, test } from "vitest";
import { parseTarget } from "../../src/sandbox/parse-target.ts";

describe("parseTarget", () => {
  const good: readonly (readonly [string, unknown])[] = [
    ["docker:box-1.a_b", { kind: "docker", container: "box-1.a_b" }],
    ["ssh:host", { kind: "ssh", ssh: { destination: "host" } }],
    ["ssh:me@host.example:2222", { kind: "ssh", ssh: { destination: "me@host.example", port: 2222 } }],
    ["ssh:me@[::1]:22", { kind: "ssh", ssh: { destination: "me@::1", port: 22 } }],
    ["ssh:[fe80::1%eth0]", { kind: "ssh", ssh: { destination: "fe80::1%eth0" } }],
  ];
  for (const [text, target] of good) test(text, () => expect(parseTarget(text)).toEqual(target));

  const bad = [
    ...[
      "",
      "box",
      "docker:",
      "docker:-x",
      "docker:a b",
      "docker:--help",
      "docker:a/b",
      "local:",
      "local:here",
      "DOCKER:a",
    ],
    ...[
      "ssh:",
      "ssh:-oProxyCommand=x",
      "ssh:me@-x",
      "ssh:-me@host",
      "ssh:host:0",
      "ssh:host:65536",
      "ssh:host:22x",
    ],
    ...["ssh:host;id", "ssh:a@b@c", "ssh:host\n", "ssh:::1"],
  ];
  for (const text of bad) {
    test(`refuses ${JSON.stringify(text)}`, () =>
      expect(() => parseTarget(text)).toThrow(
        expect.objectContaining({ code: "sandbox.bad-target", exit: 2 }),
      ));
  }
});
