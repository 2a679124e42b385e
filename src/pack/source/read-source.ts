import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { packError } from "../errors.ts";
import { findDirty } from "./find-dirty.ts";
import { readGit } from "./git.ts";

/** Which commit a pack is built from, and whether the pack may be released under it. */
export interface Source {
  readonly revision: string;
  readonly release: boolean;
  /** Why `release` is false; empty where it is true. */
  readonly reasons: readonly string[];
}

export interface SourceRequest {
  readonly packDir: string;
  /** Files that the build reads, absolute. */
  readonly files: readonly string[];
  /** The repository's own sources, counted where the pack is built from within that repository. Absolute. */
  readonly toolSources: readonly string[];
  readonly revision: string | undefined;
  readonly assertClean: boolean;
  readonly allowDirty: boolean;
}

/**
 * The pack's source (requirement B9). Where git can be read it decides; where it cannot, the caller vouches.
 * @throws pack.revision-required, pack.revision-malformed, pack.revision-abbreviated, pack.revision-not-head,
 *   pack.assert-clean-with-git, pack.dirty
 */
export async function readSource(request: SourceRequest): Promise<Source> {
  assertRevision(request.revision, request.allowDirty);
  const head = await readHead(request.packDir);
  return head === undefined ? toVouchedSource(request) : await readCommittedSource(request, head);
}

interface Head {
  readonly top: string;
  readonly revision: string;
}

export async function readTopLevel(directory: string): Promise<string | undefined> {
  const top = await readGit(directory, ["rev-parse", "--show-toplevel"]);
  return top.ok ? await realpath(top.stdout.replace(/\n$/, "")) : undefined;
}

async function readHead(packDir: string): Promise<Head | undefined> {
  const top = await readTopLevel(packDir);
  const head = await readGit(packDir, ["rev-parse", "--verify", "HEAD^{commit}"]);
  const revision = head.stdout.trim();
  return top !== undefined && head.ok && /^[0-9a-f]{40}$/.test(revision) ? { top, revision } : undefined;
}

async function readCommittedSource(request: SourceRequest, head: Head): Promise<Source> {
  const { revision } = request;
  if (request.assertClean) {
    throw packError("pack.assert-clean-with-git", {
      subject: "--assert-clean",
      expected: "a tree that git cannot read",
      got: `a git checkout at ${head.revision}`,
    });
  }
  if (revision !== undefined && !head.revision.startsWith(revision)) {
    throw packError("pack.revision-not-head", {
      subject: "--source-revision",
      expected: head.revision,
      got: revision,
    });
  }
  const dirty = await readDirty(request, head.top);
  if (dirty.length > 0 && !request.allowDirty) throw dirtyError(dirty);
  const reasons = [
    ...(dirty.length > 0 ? [`${dirty.length} changed input(s): ${summarize(dirty)}`] : []),
    ...(revision !== undefined && revision.length < 40 ? ["the revision was given abbreviated"] : []),
  ];
  return { revision: head.revision, release: reasons.length === 0, reasons };
}

async function readDirty(request: SourceRequest, top: string): Promise<string[]> {
  const toBelow = async (path: string) => relative(top, await realpath(path).catch(() => path));
  const isBelow = (path: string) => path !== ".." && !path.startsWith(`..${sep}`);
  const folders = await Promise.all([request.packDir, ...request.toolSources].map(toBelow));
  const files = await Promise.all(request.files.map(toBelow));
  const inputs = {
    files: files.filter(isBelow),
    folders: folders.filter(isBelow).map((path) => path || "."),
  };
  return (await findDirty(top, inputs)) ?? ["(git status failed)"];
}

function toVouchedSource(request: SourceRequest): Source {
  if (request.revision === undefined) {
    throw packError("pack.revision-required", {
      subject: request.packDir,
      expected: "a git checkout or --source-revision",
      got: "neither",
    });
  }
  const reasons = [
    ...(request.assertClean ? [] : ["git cannot be read and nobody vouched with --assert-clean"]),
    ...(request.revision.length < 40 ? ["the revision was given abbreviated"] : []),
  ];
  return { revision: request.revision, release: reasons.length === 0, reasons };
}

function assertRevision(revision: string | undefined, allowDirty: boolean): void {
  if (revision === undefined) return;
  const facts = {
    subject: "--source-revision",
    expected: "40 lowercase hex digits",
    got: JSON.stringify(revision),
  };
  if (!/^[0-9a-f]{7,40}$/.test(revision)) throw packError("pack.revision-malformed", facts);
  if (revision.length < 40 && !allowDirty) throw packError("pack.revision-abbreviated", facts);
}

function dirtyError(dirty: readonly string[]) {
  return packError("pack.dirty", {
    subject: "the pack's inputs",
    expected: "what HEAD holds",
    got: `${dirty.length} changed or untracked: ${summarize(dirty)}`,
    details: { dirty },
  });
}

function summarize(paths: readonly string[]): string {
  return paths.length > 5 ? `${paths.slice(0, 5).join(", ")}, …` : paths.join(", ");
}
