import { expect, test } from "vitest";
import { findHostRows, findUnfit } from "../../src/admission/host-fit.ts";
import type { HostFacts } from "../../src/sandbox/probe-facts.ts";
import { smallManifest } from "./support/small-manifest.ts";

const fit: HostFacts = {
  uname: "Linux x86_64",
  glibc: "2.36",
  glibcxx: "3.4.30",
  freeBytes: 1_000_000,
  elfInterpreters: [true],
  libraries: [true, true],
  cpu: ["yes"],
};

test.each<[string, Partial<HostFacts>, readonly string[], readonly string[]]>([
  ["a host that fits", {}, [], []],
  ["another processor", { uname: "Linux aarch64" }, ["sandbox.wrong-platform"], ["sandbox.wrong-platform"]],
  ["no loader", { elfInterpreters: [false] }, ["sandbox.no-elf-interpreter"], ["sandbox.no-elf-interpreter"]],
  [
    "a missing library is told, and stops nothing",
    { libraries: [true, false] },
    ["sandbox.missing-library"],
    [],
  ],
  ["what is unknown is told, and stops nothing", { cpu: ["unknown"] }, ["sandbox.unknown-fact"], []],
])("%s", (_, change, told, refused) => {
  const rows = findHostRows({ ...fit, ...change }, smallManifest());
  expect(rows.map(({ code }) => code)).toEqual(told);
  expect(findUnfit(rows, "box").map(({ code }) => code)).toEqual(refused);
});
