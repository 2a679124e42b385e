import { realpathSync } from "node:fs";
import { verifyPack } from "../../manifest/verify-pack.ts";
import { bridgesError } from "../errors.ts";
import { type Pack, readPack } from "../pack-commands.ts";

/**
 * Reads a pack and verifies all of it against its own manifest. Whether that manifest is the right one is the
 * controller's to say: it names the digest in its hello.
 * @throws `bridges.pack-not-found`, `bridges.pack-differs`, `manifest.*`
 */
export async function readVerifiedPack(path: string): Promise<Pack> {
  const pack = readPack(toRealPath(path));
  const { findings } = await verifyPack(pack.root, { manifest: pack.manifest });
  const [first] = findings;
  if (first === undefined) return pack;
  const expected = `the pack that its manifest binds (${first.expected} at ${first.path})`;
  const got = `${first.got} (${first.code}; ${findings.length} findings)`;
  throw bridgesError("bridges.pack-differs", { subject: pack.root, expected, got });
}

function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw bridgesError("bridges.pack-not-found", {
      subject: path,
      expected: "a sealed pack",
      got: "none",
      cause,
    });
  }
}
