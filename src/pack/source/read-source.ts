import { packError } from "../errors.ts";
import { findInputDirt, findToolDirt } from "./find-input-dirt.ts";
import { type Repository, readRepository } from "./read-repository.ts";

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
  /** What of `files` the build has read already, by the same paths: these bytes are checked as well. */
  readonly read?: ReadonlyMap<string, Uint8Array>;
  /** The tool's own sources, checked against their own repository where it is run from one. Absolute. */
  readonly toolSources: readonly string[];
  readonly revision: string | undefined;
  readonly assertClean: boolean;
  readonly allowDirty: boolean;
}

/**
 * The pack's source (requirement B9). Where git can be read it decides; where it cannot, the caller vouches.
 * @throws pack.revision-required, pack.revision-malformed, pack.revision-abbreviated, pack.revision-not-head,
 *   pack.revision-format, pack.assert-clean-with-git, pack.dirty, pack.git-failed
 */
export async function readSource(request: SourceRequest): Promise<Source> {
  assertRevision(request.revision, request.allowDirty);
  const repository = await readRepository(request.packDir);
  if (repository === undefined) return toVouchedSource(request);
  assertFormat(repository);
  return await readCommittedSource(request, repository);
}

/** The root of the checkout that holds `directory`; undefined where git cannot read one. */
export async function readTopLevel(directory: string): Promise<string | undefined> {
  return (await readRepository(directory).catch(() => undefined))?.top;
}

async function readCommittedSource(request: SourceRequest, head: Repository): Promise<Source> {
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
  const dirty = [...(await findInputDirt(request, head)), ...(await findToolDirt(request.toolSources, head))];
  if (dirty.length > 0 && !request.allowDirty) throw dirtyError(dirty);
  const reasons = [
    ...(dirty.length > 0 ? [`${dirty.length} changed input(s): ${summarize(dirty)}`] : []),
    ...(revision !== undefined && revision.length < 40 ? ["the revision was given abbreviated"] : []),
  ];
  return { revision: head.revision, release: reasons.length === 0, reasons };
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

/** Not the vouched path: git reads this repository, and what it says cannot stand in a manifest. */
function assertFormat({ top, revision }: Repository): void {
  if (/^[0-9a-f]{40}$/.test(revision)) return;
  throw packError("pack.revision-format", {
    subject: top,
    expected: "a commit of 40 hex digits",
    got: revision,
  });
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
