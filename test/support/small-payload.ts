import { digestBridges } from "../../src/manifest/seal-manifest.ts";
import type { Payload } from "../../src/manifest/types.ts";

/** 64 hex digits, the same one throughout. */
export function hex64(digit: string): string {
  return digit.repeat(64);
}

const bridges = {
  "codex-acp": {
    version: "1.6.2",
    path: "node_modules/codex-acp",
    sha256: hex64("7"),
    builtFrom: "sha512-x",
  },
};

/** A sound payload with something under every key; no pack stands behind it. */
export const smallPayload: Payload = {
  name: "small",
  target: { platform: "linux", architecture: "x64", libc: "glibc" },
  sourceRevision: "0123456789abcdef0123456789abcdef01234567",
  release: true,
  lock: { manager: "npm", path: "package-lock.json", sha256: hex64("1") },
  interpreter: {
    path: "node_modules/node/bin/node",
    version: "24.21.0",
    minimum: "24.11.0",
    undici: "7.29.1",
    sha256: hex64("2"),
  },
  components: {
    "node_modules/@scope/alpha": {
      name: "@scope/alpha",
      version: "1.0.0",
      integrity: "sha512-alpha",
      patches: [{ file: "patches/alpha.patch", sha256: hex64("3") }],
      digest: hex64("4"),
    },
  },
  commands: {
    tool: {
      launcher: { path: "node_modules/.bin/tool", sha256: hex64("5") },
      executable: { path: "node_modules/node/bin/node", sha256: hex64("2") },
      entry: { path: "node_modules/@scope/alpha/index.js", sha256: hex64("6") },
      version: "tool 1.0.0",
    },
  },
  bridges,
  bridgeDigest: digestBridges(bridges),
  prerequisites: { grok: { version: "1.0.13", path: "/opt/grok", sha256: hex64("8") } },
  candidates: {
    pi: {
      version: "1.0.0",
      path: "provider-assets/pi/linux-x64",
      model: "some-model",
      profileDigest: hex64("9"),
      closureDigest: hex64("a"),
      qualification: "pending",
    },
  },
  requires: {
    elfInterpreters: ["/lib/ld.so"],
    libraries: ["libc.so.6"],
    glibc: "2.28",
    glibcxx: "",
    cpu: [],
  },
  tree: { digest: hex64("b"), entries: 3, bytes: 4 },
};
