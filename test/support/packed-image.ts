import { randomBytes } from "node:crypto";
import { createBox, docker } from "../sandbox/support/docker-box.ts";

/** Where released controllers look first. */
export const packPath = "/opt/paperclip-runner/provider-pack";

export interface PackedImage {
  readonly name: string;
  remove(): Promise<void>;
}

/** An image with an unprivileged user, and a pack that belongs to root; every container of it has its own writable copy. */
export async function createPackedImage(base: string, pack: string | undefined): Promise<PackedImage> {
  const name = `sealpack-test-packed-${randomBytes(4).toString("hex")}`;
  const setup = "useradd -m -u 1000 -s /bin/bash agent; mkdir -m 777 /trap; mkdir -p /opt/paperclip-runner";
  const maker = await createBox({ image: base, setup });
  try {
    if (pack !== undefined) {
      await docker(["cp", "-q", `${pack}/.`, `${maker.name}:${packPath}`]);
      await maker.root(`chown -R 0:0 ${packPath}; chmod 755 ${packPath}`);
    }
    await docker(["commit", maker.name, name]);
  } finally {
    await maker.remove();
  }
  return { name, remove: () => docker(["rmi", "-f", name]).then(() => undefined) };
}
