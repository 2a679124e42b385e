import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultLimits, type Limits } from "../../src/archive/limits.ts";
import { isSealpackError } from "../../src/errors.ts";
import type { Manifest } from "../../src/manifest/types.ts";
import type { BuildRequest } from "../../src/pack/steps.ts";
import { type TestPack, smallPack as writePack } from "./random-pack.ts";
import { type SmallPack, smallPack, smallRequest, writeSmallPack } from "./small-pack.ts";
import { sri } from "./tarball.ts";
import { tempDir } from "./temp-dir.ts";

// The rooms are imported where they are used: most attacks need one of them, and loading all takes longer than the attack.

/** What came of an attack: the code that refused it, or "accepted"; and what it left where it has no business. */
export interface Repelled {
  readonly code: string;
  readonly left: readonly string[];
}

/** Unpacks a hostile archive that the lock pins; `left` is what then stands beside its destination. */
export async function unpackHostile(archive: Uint8Array, limits: Partial<Limits> = {}): Promise<Repelled> {
  const { unpackTarball } = await import("../../src/archive/unpack-tarball.ts");
  const dir = tempDir();
  const file = join(dir, "a.tgz");
  writeFileSync(file, archive);
  const job = { file, integrity: sri(archive), destination: join(dir, "out"), label: "evil@1.0.0" };
  const code = await codeOf(unpackTarball({ ...job, limits: { ...defaultLimits, ...limits } }));
  return { code, left: readdirSync(dir).filter((name) => name !== "a.tgz" && name !== "out") };
}

/** Builds a small pack that `change` made hostile; `left` is what then stands where the pack would. */
export async function buildHostile(
  change: (pack: SmallPack) => void,
  changes: (dir: string) => Partial<BuildRequest> | undefined = () => undefined,
): Promise<Repelled> {
  const { buildPack } = await import("../../src/pack/build-pack.ts");
  const dir = tempDir();
  const pack = smallPack();
  change(pack);
  writeSmallPack(pack, join(dir, "pack"), join(dir, "cache"));
  const request = smallRequest(dir, changes(dir));
  const before = existsSync(request.out) ? readdirSync(request.out) : [];
  const code = await codeOf(buildPack(request));
  const beside = readdirSync(dir).filter((name) => name.startsWith("out."));
  const inside = existsSync(request.out) ? readdirSync(request.out) : [];
  return { code, left: [...beside, ...inside.filter((name) => !before.includes(name))] };
}

/** Verifies a sealed pack that `edit` tampered with; `path code` of each finding. */
export async function verifyHostile(
  edit: (root: string, pack: TestPack) => void,
  trusted?: (pack: TestPack) => Manifest,
): Promise<string[]> {
  const { verifyPack } = await import("../../src/manifest/verify-pack.ts");
  const dir = tempDir();
  chmodSync(dir, 0o755);
  const pack = await writePack(join(dir, "pack"));
  edit(pack.root, pack);
  const { findings } = await verifyPack(pack.root, trusted && { manifest: trusted(pack) });
  return findings.map(({ code, path }) => `${path} ${code}`);
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  return await attempt.then(
    () => "accepted",
    (error: unknown) => (isSealpackError(error) ? error.code : `a defect: ${error}`),
  );
}
