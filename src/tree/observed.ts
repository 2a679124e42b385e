import { constants } from "node:fs";

export type Kind = "directory" | "file" | "link" | "fifo" | "socket" | "device";

/**
 * One thing that stands in a tree, as far as it could be looked at.
 * - `unread`: the system refused to list, search or read it; `reason` is the error's name.
 * - `changed`: it changed while it was looked at.
 */
export interface Observed {
  /** "." for the root. Shown form where `utf8` is false. */
  readonly path: string;
  readonly utf8: boolean;
  readonly kind: Kind;
  readonly mode: number;
  readonly device: bigint;
  readonly inode: bigint;
  readonly links: number;
  readonly size: number;
  /** 64 hex of a file that was hashed, else "". */
  readonly digest: string;
  readonly trouble?: { readonly kind: "unread" | "changed"; readonly reason: string };
}

/** What st_mode's type bits say. */
export function toKind(mode: number): Kind {
  switch (mode & constants.S_IFMT) {
    case constants.S_IFDIR:
      return "directory";
    case constants.S_IFREG:
      return "file";
    case constants.S_IFLNK:
      return "link";
    case constants.S_IFIFO:
      return "fifo";
    case constants.S_IFSOCK:
      return "socket";
    default:
      return "device";
  }
}
