import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBox, docker } from "./docker-box.ts";

const build = `
mkdir -p /r/bin /r/tmp /r/root /r/etc /r/proc /r/workspace /r/usr/bin /r/home/agent && cp /bin/busybox /r/bin/
for a in $(/bin/busybox --list);do [ $a = busybox ]||ln -s busybox /r/bin/$a;done
echo root:x:0:0::/root:/bin/sh >/r/etc/passwd; chmod 1777 /r/tmp; tar -C /r -cf /busybox.tar .
`;

export interface BusyboxImage {
  readonly name: string;
  remove(): Promise<void>;
}

/** An image of nothing but one static busybox and its names, of its own for each caller. */
export async function createBusyboxImage(base: string): Promise<BusyboxImage> {
  const name = `sealpack-test-busybox-${randomBytes(6).toString("hex")}`;
  const directory = await mkdtemp(join(tmpdir(), "sealpack-busybox-"));
  const maker = await createBox({ image: base, setup: build });
  try {
    await docker(["cp", `${maker.name}:/busybox.tar`, join(directory, "busybox.tar")]);
    await docker(["import", join(directory, "busybox.tar"), name]);
    return { name, remove: () => docker(["rmi", name]).then(() => undefined) };
  } finally {
    await maker.remove();
    await rm(directory, { recursive: true, force: true });
  }
}
