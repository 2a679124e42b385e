import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DifferenceKind } from "../../src/manifest/diff-manifests.ts";
import { parseManifest } from "../../src/manifest/parse-manifest.ts";
import { sealManifest } from "../../src/manifest/seal-manifest.ts";
import type { Manifest, Payload } from "../../src/manifest/types.ts";
import { dockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import { type Box, countExecs, createBox, docker, startDocker } from "../sandbox/support/docker-box.ts";
import { type Outcome, tryAdmit } from "../support/admit-box.ts";
import { createPackedImage, type PackedImage, packPath } from "../support/packed-image.ts";
import { buildRealPack, type RealPack } from "../support/real-pack.ts";

let pack: RealPack;
let packed: PackedImage;
let manifest: Manifest;
beforeAll(async () => {
  const base = await startDocker();
  pack = buildRealPack();
  manifest = parseManifest(readFileSync(join(pack.root, "sealpack.json")));
  packed = await createPackedImage(base, pack.root);
});
afterAll(async () => {
  await packed?.remove();
  pack?.remove();
});

async function withBox(
  options: { readonly setup?: string; readonly run?: readonly string[] },
  action: (box: Box) => Promise<void>,
): Promise<void> {
  const { setup = "", run = [] } = options;
  const box = await createBox({ image: packed.name, run, setup: `pack=${packPath}\n${setup}` });
  try {
    await action(box);
  } finally {
    await box.remove();
  }
}

/** Another pack than ours: as if the controller's release had been built from something else. */
function changed(change: (payload: Payload) => Partial<Payload>): Manifest {
  return sealManifest({ ...manifest.payload, ...change(manifest.payload) });
}

interface Row {
  readonly name: string;
  readonly setup?: string;
  readonly expected?: () => Manifest;
  readonly roots?: readonly string[];
  readonly user?: string;
  readonly decision: Outcome["decision"];
  readonly exit?: number;
  /** Every reason as `code place`, in the roots' order. */
  readonly reasons: readonly string[];
  /** Kinds of what differs, of the first root, each once. */
  readonly differs?: readonly DifferenceKind[];
}

const home = "$HOME/.local/share/paperclip-runner/provider-pack";
const noHome = `admission.no-pack ${home}`;
const other = `admission.other-pack ${packPath}`;
const sidecar = "node_modules/@agentclientprotocol/codex-acp/dist/index.js";

const rows: readonly Row[] = [
  {
    name: "another revision",
    expected: () => changed(() => ({ sourceRevision: "f".repeat(40) })),
    decision: "refused",
    reasons: [other, noHome],
    differs: ["pack"],
  },
  {
    name: "another lock",
    expected: () => changed(({ lock }) => ({ lock: { ...lock, sha256: "0".repeat(64) } })),
    decision: "refused",
    reasons: [other, noHome],
    differs: ["lock"],
  },
  {
    name: "one CLI a version older",
    expected: () =>
      changed(({ components, tree }) => {
        const codex = components["node_modules/@openai/codex"];
        if (codex === undefined) throw new Error("no codex");
        const older = { ...codex, version: "0.155.0", digest: "1".repeat(64) };
        return {
          components: { ...components, "node_modules/@openai/codex": older },
          tree: { ...tree, digest: "2".repeat(64) },
        };
      }),
    decision: "refused",
    reasons: [other, noHome],
    differs: ["component", "tree"],
  },
  {
    name: "an image of a pack that is no release",
    setup: `sed -i 's/"release": true/"release": false/' $pack/sealpack.json`,
    decision: "refused",
    reasons: [other, noHome],
  },
  {
    name: "a missing sidecar",
    setup: `rm $pack/${sidecar}`,
    decision: "refused",
    reasons: [`tree.missing-file ${packPath}/${sidecar}`, noHome],
  },
  {
    name: "a missing interpreter",
    setup: "rm $pack/node_modules/node/bin/node",
    decision: "refused",
    reasons: [`admission.no-such-interpreter ${packPath}/node_modules/node/bin/node`, noHome],
  },
  {
    name: "an empty directory",
    setup: "rm -rf $pack;mkdir $pack",
    decision: "refused",
    reasons: [`admission.not-sealed ${packPath}/sealpack.json`, noHome],
  },
  {
    name: "no pack",
    setup: "rm -rf $pack",
    decision: "refused",
    reasons: [`admission.no-pack ${packPath}`, noHome],
  },
  {
    name: "a root that the user cannot enter",
    setup: "chmod 700 $pack",
    decision: "refused",
    exit: 3,
    reasons: [`admission.root-unreadable ${packPath}`, noHome],
  },
  {
    name: "a directory above that the user cannot search",
    setup: "chmod 700 /opt/paperclip-runner",
    decision: "refused",
    exit: 3,
    reasons: [`admission.root-unreadable ${packPath}`, noHome],
  },
  {
    name: "a file that the user cannot read",
    setup: "chmod 600 $pack/package.json",
    decision: "refused",
    exit: 3,
    reasons: [`tree.cannot-read-file ${packPath}/package.json`, noHome],
  },
  {
    name: "an interpreter that the user cannot read",
    setup: "chmod 711 $pack/node_modules/node/bin/node",
    decision: "refused",
    exit: 3,
    reasons: [`admission.interpreter-unreadable ${packPath}/node_modules/node/bin/node`, noHome],
  },
  {
    name: "two roots, the second right",
    setup: "mkdir -p /opt/first;echo '{}' >/opt/first/sealpack.json",
    roots: ["/opt/first", packPath],
    decision: "preinstalled",
    reasons: ["admission.other-pack /opt/first"],
  },
  {
    name: "two roots, the first edited and the second right",
    setup: "cp -a $pack /opt/first;echo >>/opt/first/package.json",
    roots: ["/opt/first", packPath],
    decision: "preinstalled",
    reasons: ["tree.size /opt/first/package.json"],
  },
  {
    name: "two roots, both wrong",
    setup: "mkdir -p /opt/first;rm $pack/sealpack.tree",
    roots: ["/opt/first", packPath],
    decision: "refused",
    reasons: [
      "admission.not-sealed /opt/first/sealpack.json",
      `manifest.listing-missing ${packPath}/sealpack.tree`,
    ],
  },
];

describe("decisions about the real pack", () => {
  test("an exact pack that root owns is admitted in one exec, to run in place", async () => {
    await withBox({}, async (box) => {
      let outcome: Outcome | undefined;
      const execs = await countExecs(box.name, async () => {
        outcome = await tryAdmit({
          sandbox: dockerSandbox(box.name, { user: "agent" }),
          expected: pack.root,
          commands: ["codex", "claude"],
        });
      });
      expect(execs).toBe(1);
      const admission = outcome?.admission;
      expect(admission).toMatchObject({ decision: "preinstalled", root: packPath, trust: "protected" });
      const launched = await docker([
        ...["exec", "-u", "agent"],
        ...Object.entries(admission?.environment ?? {}).flatMap(([name, value]) => [
          "-e",
          `${name}=${value}`,
        ]),
        ...[box.name, admission?.commands.codex ?? "", "--version"],
      ]);
      expect(launched.trim()).toBe(manifest.payload.commands.codex?.version);
    });
  });

  test("to a user who is root it is fresh-only, and refused where the policy wants another", async () => {
    await withBox({}, async (box) => {
      const request = { sandbox: dockerSandbox(box.name, { user: "0" }), expected: manifest, commands: [] };
      expect((await tryAdmit(request)).admission?.trust).toBe("fresh-only");
      const refused = await tryAdmit({ ...request, policy: { requireUnprivileged: true } });
      expect([refused.code, refused.exit]).toEqual(["admission.privileged-user", 1]);
    });
  });

  test.each(rows)("$name", async (row) => {
    await withBox({ ...(row.setup === undefined ? {} : { setup: row.setup }) }, async (box) => {
      const outcome = await tryAdmit({
        sandbox: dockerSandbox(box.name, { user: row.user ?? "agent" }),
        expected: row.expected?.() ?? manifest,
        commands: [],
        ...(row.roots === undefined ? {} : { packRoots: row.roots }),
      });
      const roots = outcome.report?.roots ?? [];
      const reasons = roots.flatMap((root) => root.reasons.map(({ code, subject }) => `${code} ${subject}`));
      expect([outcome.decision, reasons]).toEqual([row.decision, row.reasons]);
      if (row.decision === "refused") expect(outcome.exit).toBe(row.exit ?? 1);
      if (row.differs !== undefined) {
        expect([...new Set(roots[0]?.differences.map(({ kind }) => kind))]).toEqual(row.differs);
      }
    });
  });
});
