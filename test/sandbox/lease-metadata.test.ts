import { describe, expect, test } from "vitest";
import {
  parseLeaseMetadata,
  toExternalMetadata,
  toInternalConfig,
} from "../../src/sandbox/lease-metadata.ts";
import { preferredShell } from "../../src/sandbox/preferred-shell.ts";

describe("preferredShell (S7)", () => {
  for (const [value, shell] of [
    ["bash", "bash"],
    ["sh", "sh"],
    [null, "sh"],
    [undefined, "sh"],
  ] as const) {
    test(`${value}`, () => expect(preferredShell(value)).toBe(shell));
  }
  for (const value of ["zsh", "", "/bin/bash", "BASH", "bash ", 0, false, [], {}, ["bash"], () => "bash"]) {
    test(`refuses ${String(value)}`, () =>
      expect(() => preferredShell(value)).toThrow(
        expect.objectContaining({ code: "sandbox.bad-shell", exit: 2 }),
      ));
  }
});

describe("lease metadata", () => {
  test("is validated where it enters", () => {
    expect(parseLeaseMetadata({ shellCommand: "bash", region: "eu" })).toEqual({
      shell: "bash",
      rest: { region: "eu" },
    });
    expect(() => parseLeaseMetadata({ shellCommand: "fish" })).toThrow(
      expect.objectContaining({ code: "sandbox.bad-shell" }),
    );
    for (const value of ["x", 1, [], true]) {
      expect(() => parseLeaseMetadata(value)).toThrow(expect.objectContaining({ code: "sandbox.bad-lease" }));
    }
  });

  test("an old lease without the field behaves as sh", () => {
    for (const old of [undefined, null, {}, { region: "eu" }, { shellCommand: null }]) {
      expect(parseLeaseMetadata(old).shell).toBe("sh");
    }
  });

  test("round-trips through the internal configuration, also as JSON", () => {
    for (const given of [{ shellCommand: "bash", a: { b: [1] } }, { a: 1 }, {}]) {
      const lease = parseLeaseMetadata(given);
      const config: unknown = JSON.parse(JSON.stringify(toInternalConfig(lease)));
      expect(parseLeaseMetadata(config)).toEqual(lease);
      expect(toInternalConfig(parseLeaseMetadata(config))).toEqual(config);
    }
  });

  test("never leaks into external metadata; everything else stays", () => {
    const config = toInternalConfig(parseLeaseMetadata({ shellCommand: "bash", region: "eu", n: null }));
    expect(toExternalMetadata(config)).toEqual({ region: "eu", n: null });
    expect(config.shellCommand).toBe("bash");
  });
});
