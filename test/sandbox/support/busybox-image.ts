import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBox, docker } from "./docker-box.ts";

const build = `
mkdir -p /r/bin /r/tmp /r/root /r/etc /r/proc /r/workspace /r/usr/bin /r/home/agent && cp /bin/busybox /r/bin/
for a in $(/bin/busybox --list);do [ $a = busybox ]||ln -s busybox /r/bin/$a;done
echo root:x:0:0::/root:/bin/sh >/r/etc/passwd; chmod 1777 /r/tmp; tar -C /r -cf /busybox.tar .
`;

/** An image of nothing but one static busybox and its names. */
export async function createBusyboxImage(base: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "sealpack-busybox-"));
  const maker = await createBox({ image: base, setup: build });
  try {
    await docker(["cp", `${maker.name}:/busybox.tar`, join(directory, "busybox.tar")]);
    await docker(["import", join(directory, "busybox.tar"), "sealpack-test-busybox"]);
    return "sealpack-test-busybox";
  } finally {
    await maker.remove();
    await rm(directory, { recursive: true, force: true });
  }
}
