import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { identifyImage } from "../../../src/image/image-closure.ts";
import { type ImageRequest, planImage } from "../../../src/image/planned-image.ts";

export const digest = "a".repeat(64);
/** First lines that are in order, so that a test's own lines are the only ones to find fault with. */
export const syntax = `# syntax=docker/dockerfile:1.7@sha256:${digest}`;
export const from = `FROM debian:12@sha256:${digest}`;

/** A tree on disk: text for a file, `{ x }` for an executable one, `{ link }` for a link, null for an empty folder. */
export type Tree = Readonly<
  Record<string, string | { readonly x: string } | { readonly link: string } | null>
>;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function scratch(tree: Tree): string {
  const folder = mkdtempSync(join(tmpdir(), "sealpack-image-"));
  folders.push(folder);
  writeTree(folder, tree);
  return folder;
}

export function writeTree(folder: string, tree: Tree): void {
  for (const [path, value] of Object.entries(tree)) {
    const absolute = join(folder, path);
    mkdirSync(value === null ? absolute : dirname(absolute), { recursive: true });
    if (typeof value === "string") writeFileSync(absolute, value);
    else if (value !== null && "x" in value) {
      writeFileSync(absolute, value.x);
      chmodSync(absolute, 0o755);
    } else if (value !== null) symlinkSync(value.link, absolute);
  }
}

export const imageYaml = `schema: sealpack/image/v1
context: ../..
platform: linux/amd64
inputs: [app/]
provenance: [REVISION]
candidates: { argument: CANDIDATES, names: [copilot, cursor, pi] }
derived: [{ path: docker/x/vendor, from: [pins.lock] }]
deny: [bad-20260826-v2]
`;

/** A repository with one image, `docker/x`, that takes `app/` and a derived folder. */
export const repository: Tree = {
  "docker/x/Dockerfile": `${syntax}\nARG REVISION\nARG CANDIDATES\nARG LEVEL=1\n${from}\nCOPY app /app\nCOPY docker/x/vendor /vendor\n`,
  "docker/x/image.yaml": imageYaml,
  "app/a.txt": "a",
  "app/run.sh": { x: "#!/bin/sh\n" },
  "app/sub/b.txt": "b",
  "app/link": { link: "sub/b.txt" },
  "pins.lock": "1",
  "other.txt": "other",
  ".dockerignore": "app/secret\n",
  "app/secret": "not sent",
};

export function idOf(folder: string, request: Partial<ImageRequest> = {}): string {
  return identify(folder, request).id;
}

export function identify(folder: string, request: Partial<ImageRequest> = {}) {
  return identifyImage(
    planImage({ dockerfile: join(folder, "docker/x/Dockerfile"), buildArguments: new Map(), ...request }),
  );
}
