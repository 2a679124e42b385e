import { describe, expect, test } from "vitest";
import { diffManifests } from "../../src/manifest/diff-manifests.ts";
import { toExpectedPayload } from "../../src/manifest/expected.ts";
import type { Payload } from "../../src/manifest/types.ts";
import { hex64, smallPayload } from "../support/small-payload.ts";

const alpha = smallPayload.components["node_modules/@scope/alpha"];
const tool = smallPayload.commands.tool;

describe("diffManifests", () => {
  test("finds nothing between equals, whatever the order of their keys", () => {
    const reversed = Object.fromEntries(Object.entries(smallPayload).reverse()) as unknown as Payload;
    expect(diffManifests(smallPayload, reversed)).toEqual([]);
  });

  test.each<[string, object, object]>([
    [
      "a component's version",
      { components: { "node_modules/@scope/alpha": { ...alpha, version: "2.0.0" } } },
      {
        kind: "component",
        name: "node_modules/@scope/alpha",
        field: "version",
        left: "1.0.0",
        right: "2.0.0",
      },
    ],
    [
      "a component that went",
      { components: {} },
      { kind: "component", name: "node_modules/@scope/alpha", field: "", left: alpha, right: undefined },
    ],
    [
      "a command's launcher",
      { commands: { tool: { ...tool, launcher: { ...tool?.launcher, sha256: hex64("0") } } } },
      { kind: "command", name: "tool", field: "launcher.sha256", left: hex64("5"), right: hex64("0") },
    ],
    [
      "a list",
      { requires: { ...smallPayload.requires, cpu: ["avx2"] } },
      { kind: "requires", name: "", field: "cpu", left: [], right: ["avx2"] },
    ],
    [
      "the tree",
      { tree: { ...smallPayload.tree, bytes: 5 } },
      { kind: "tree", name: "", field: "bytes", left: 4, right: 5 },
    ],
    [
      "the release",
      { release: false },
      { kind: "pack", name: "", field: "release", left: true, right: false },
    ],
    ["the name", { name: "other" }, { kind: "pack", name: "", field: "name", left: "small", right: "other" }],
    [
      "the target",
      { target: { ...smallPayload.target, libc: "musl" } },
      { kind: "target", name: "", field: "libc", left: "glibc", right: "musl" },
    ],
  ])("%s", (_name, change, difference) => {
    expect(diffManifests(smallPayload, { ...smallPayload, ...change })).toEqual([difference]);
  });

  test("puts components first", () => {
    const other = { ...smallPayload, name: "other", commands: {}, components: {} };
    expect(diffManifests(smallPayload, other).map(({ kind }) => kind)).toEqual([
      "component",
      "command",
      "pack",
    ]);
  });

  test("leaves provenance out where one side has none", () => {
    expect(diffManifests(smallPayload, toExpectedPayload(smallPayload))).toEqual([]);
  });
});
