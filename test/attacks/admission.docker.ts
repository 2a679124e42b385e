import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseManifest } from "../../src/manifest/parse-manifest.ts";
import type { Manifest } from "../../src/manifest/types.ts";
import { dockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import { type Box, createBox, docker, startDocker } from "../sandbox/support/docker-box.ts";
import { tryAdmit } from "../support/admit-box.ts";
import { createPackedImage, type PackedImage, packPath } from "../support/packed-image.ts";
import { buildRealPack, type RealPack } from "../support/real-pack.ts";

/** One attack of docs/admission.md on the real pack in a real container. */
interface Attack {
  readonly name: string;
  /** As root, before the admission. `$pack`, `$node` and `$codex` are set. */
  readonly setup: string;
  readonly run?: readonly string[];
  /** Default: the unprivileged one. */
  readonly user?: string;
  /** Default 1. */
  readonly tries?: number;
  readonly code: string;
  /** Of the reason, below the pack; "" for the root itself. */
  readonly at?: string;
  readonly exit?: 1 | 3;
  /** Whether any command that is not blanked springs the trap, which shows that the trap works. */
  readonly control?: true;
}

let pack: RealPack;
let packed: PackedImage;
let manifest: Manifest;
let deep = "";
beforeAll(async () => {
  const base = await startDocker();
  pack = buildRealPack();
  manifest = parseManifest(readFileSync(join(pack.root, "sealpack.json")));
  deep = findDeepest(readFileSync(join(pack.root, "sealpack.tree"), "utf8"));
  packed = await createPackedImage(base, pack.root);
});
afterAll(async () => {
  await packed?.remove();
  pack?.remove();
});

function findDeepest(listing: string): string {
  const paths = listing.split("\n").flatMap((line) => line.split("\t")[3] ?? []);
  const modules = paths.filter((path) => path.endsWith(".js"));
  return modules.reduce((a, b) => (b.split("/").length > a.split("/").length ? b : a));
}

const node = "node_modules/node/bin/node";
const codex = "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex";
/** Changes one byte, whatever it was, and keeps size, mode and time. */
const flip = (file: string) =>
  `t=$(stat -c %y ${file});b=$(od -An -tu1 -j4096 -N1 ${file}||:);[ "\${b:-0}" -eq 255 ]&&n=0||n=$((\${b:-0}+1));` +
  `printf "\\\\$(printf %03o $n)"|dd of=${file} bs=1 seek=4096 conv=notrunc 2>/dev/null;touch -d "$t" ${file}\n`;
const flipSmall = (file: string) =>
  `printf X|dd of=${file} bs=1 seek=3 conv=notrunc 2>/dev/null;touch -d @0 ${file}\n`;
const fake = (path: string, body: string) =>
  `printf '#!/bin/sh\\n: >>/trap/ran\\n${body}\\n' >${path};chmod 755 ${path}\n`;

const attacks: readonly Attack[] = [
  { name: "one byte of the codex executable", setup: flip("$codex"), code: "tree.content", at: codex },
  { name: "one byte deep in node_modules", setup: flipSmall("$deep"), code: "tree.content", at: "deep" },
  {
    name: "an extra launcher",
    setup: fake("$pack/node_modules/.bin/x", "exit 0"),
    code: "tree.extra-file",
    at: "node_modules/.bin/x",
  },
  {
    name: "a node that always succeeds",
    setup: `rm $node;${fake("$node", "exit 0")}`,
    code: "admission.interpreter-differs",
    at: node,
  },
  {
    name: "a node that swaps itself",
    setup: `mv $node /good;${fake("$node", 'mv /good \\"$0\\";exec \\"$0\\" \\"$@\\"')}`,
    user: "0",
    tries: 20,
    code: "admission.interpreter-differs",
    at: node,
  },
  {
    name: "a node that swaps itself, in a directory of the user's",
    setup: `mv $node /home/agent/good;${fake("$node", 'mv /home/agent/good \\"$0\\";exec \\"$0\\" \\"$@\\"')}chown -R agent $pack/node_modules/node /home/agent`,
    tries: 20,
    code: "admission.pack-writable",
    at: "",
  },
  {
    name: "lying hash tools",
    run: ["-e", "PATH=/evil:/usr/bin:/bin"],
    setup: `mkdir /evil;for t in sha256sum openssl shasum busybox node ls gzip base64 head sh tar;do ${fake("/evil/$t", "echo @NODE@")}done
rm $node;${fake("$node", "exit 0")}`,
    code: "admission.interpreter-differs",
    at: node,
  },
  {
    name: "a hostile environment",
    run: [
      ...["-e", "NODE_OPTIONS=--require=/evil/x.cjs", "-e", "LD_PRELOAD=libmemusage.so"],
      ...["-e", "MEMUSAGE_OUTPUT=/trap/ran"],
      ...["-e", "BASH_ENV=/evil/x.sh", "-e", "ENV=/evil/x.sh", "-e", "LD_LIBRARY_PATH=/evil"],
    ],
    setup: `mkdir /evil;echo 'require("fs").writeFileSync("/trap/ran","")' >/evil/x.cjs;echo ': >/trap/ran' >/evil/x.sh;chmod 644 /evil/*
${flip("$codex")}`,
    code: "tree.content",
    at: codex,
    control: true,
  },
  {
    name: "a root that is a link",
    setup: "mv $pack /opt/moved;ln -s /opt/moved $pack",
    code: "admission.root-not-a-directory",
    at: "",
  },
  { name: "a root of the user's", setup: "chown agent $pack", code: "admission.pack-writable", at: "" },
  {
    name: "a directory of the user's above the root",
    setup: "chown agent /opt/paperclip-runner",
    code: "admission.pack-writable",
    at: "",
  },
  {
    name: "a file of the user's",
    setup: "chown agent $deep",
    code: "admission.pack-writable",
    at: "deep",
  },
  {
    name: "a process that rewrites files",
    setup: `chown agent $deep;cp $deep /home/agent/good.js;chown agent /home/agent/good.js
setpriv --reuid 1000 --regid 1000 --clear-groups setsid sh -c "while :;do echo x >$deep;cat /home/agent/good.js >$deep;done" </dev/null >/dev/null 2>&1 &`,
    tries: 5,
    code: "admission.pack-writable",
    at: "deep",
  },
  {
    name: "no hash tool",
    setup: "rm -f /usr/bin/openssl /usr/bin/sha256sum /usr/bin/shasum /bin/busybox /usr/bin/busybox",
    code: "sandbox.no-hash-tool",
    at: "",
    exit: 3,
  },
  {
    name: "a FIFO for the manifest",
    setup: "rm $pack/sealpack.json;mkfifo -m 644 $pack/sealpack.json",
    code: "admission.not-sealed",
    at: "sealpack.json",
  },
  {
    name: "an endless manifest",
    setup: "truncate -s 1T $pack/sealpack.json",
    code: "admission.not-sealed",
    at: "sealpack.json",
  },
];

/** Without what the container's environment would do to the look itself. */
function lookIntoTrap(box: Box): Promise<string> {
  return docker(["exec", "-e", "LD_PRELOAD=", "-u", "0", box.name, "/bin/ls", "/trap"]);
}

describe("attacks on a pack in a sandbox are never admitted as preinstalled", () => {
  test.each(attacks)("$name", async (attack) => {
    const { setup, run = [], user = "1000", tries = 1, code, at, exit = 1 } = attack;
    const paths = `pack=${packPath};node=$pack/${node};codex=$pack/${codex};deep=$pack/${deep}\n`;
    const digest = manifest.payload.commands.node?.executable.sha256 ?? "";
    const box = await createBox({
      image: packed.name,
      run,
      setup: `unset LD_PRELOAD NODE_OPTIONS BASH_ENV ENV\n${paths}${setup.replaceAll("@NODE@", digest)}\nrm -f /trap/ran\n`,
    });
    try {
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const outcome = await tryAdmit({
          sandbox: dockerSandbox(box.name, { user }),
          expected: manifest,
          commands: ["codex"],
        });
        const subject = [packPath, at === "deep" ? deep : at].filter(Boolean).join("/");
        const [reason] = outcome.reasons.filter((one) => one.subject.startsWith(packPath));
        expect({ decision: outcome.decision, exit: outcome.exit, code: reason?.code }).toEqual({
          decision: "refused",
          exit,
          code,
        });
        expect(reason?.subject).toBe(subject);
        expect(await lookIntoTrap(box)).toBe("");
      }
      if (attack.control) {
        await docker(["exec", "-u", user, box.name, "/bin/sh", "-c", ":"]);
        expect(await lookIntoTrap(box)).toBe("ran\n");
      }
    } finally {
      await box.remove();
    }
  });
});
