import type { Manifest } from "../manifest/types.ts";

/** What a pack needs of a sandbox's host, as its manifest says. */
export interface HostNeeds {
  readonly platform: string;
  readonly architecture: string;
  readonly elfInterpreters: readonly string[];
  readonly libraries: readonly string[];
  readonly glibc: string;
  readonly glibcxx: string;
  readonly cpu: readonly string[];
  /** Of a copy of the pack. */
  readonly bytes: number;
}

export function toHostNeeds(manifest: Manifest): HostNeeds {
  const { target, requires, tree } = manifest.payload;
  return { platform: target.platform, architecture: target.architecture, ...requires, bytes: tree.bytes };
}
