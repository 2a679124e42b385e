import { type BigIntStats, type Dir, lstatSync, opendirSync } from "node:fs";
import { treeLimits } from "./limits.ts";
import { type Observed, toKind } from "./observed.ts";
import { decodeName, showBytes } from "./show-path.ts";

export interface WalkOptions {
  /** Whether to look below a directory. The root always is. */
  readonly descend: (path: string) => boolean;
  /** Names that someone else looks at: no lstat here, the path goes to `seen`. */
  readonly skip: (path: string) => boolean;
  /** Names looked at before the walk stops. Default: those of the largest pack, and its two control files. */
  readonly maxEntries?: number;
}

export interface Walk {
  /** The root as "." first, then everything looked at, in no particular order. */
  readonly observed: readonly Observed[];
  /** Paths that `skip` claimed and that are there. */
  readonly seen: ReadonlySet<string>;
  /** True where the bound on entries stopped the walk. */
  readonly tooMany: boolean;
  /** The directories that changed since the walk listed them. Call it after everything else was read. */
  readonly findChanged: () => readonly string[];
}

/**
 * Lists a tree. Names are read as bytes; links are never followed; nothing is opened but directories (design 7).
 * The names come from whoever could write to the tree: depth and count are bounded.
 * @throws a system error where `root` itself cannot be lstat'ed.
 */
export function walkTree(root: string, options: WalkOptions): Walk {
  const walker = new Walker(root, options);
  walker.start();
  return walker;
}

class Walker implements Walk {
  readonly observed: Observed[] = [];
  readonly seen = new Set<string>();
  tooMany = false;
  private count = 0;
  private readonly unstable = new Set<string>();
  private readonly listed = new Map<string, BigIntStats>();
  private readonly root: string;
  private readonly options: WalkOptions;

  constructor(root: string, options: WalkOptions) {
    this.root = root;
    this.options = options;
  }

  start(): void {
    const stats = lstatSync(this.root, { bigint: true });
    this.enter("", stats, 0);
  }

  findChanged(): readonly string[] {
    for (const [path, stats] of this.listed) {
      if (this.isChanged(path, stats)) this.unstable.add(path);
    }
    return [...this.unstable].map((path) => path || ".");
  }

  private enter(path: string, stats: BigIntStats, depth: number): void {
    const kind = toKind(Number(stats.mode));
    const opens =
      kind === "directory" && depth <= treeLimits.depth && (depth === 0 || this.options.descend(path));
    const trouble = opens ? this.list(path, stats, depth) : undefined;
    this.observed.push(toObserved(path || ".", true, stats, trouble));
  }

  /** The name of the error that kept the directory from being listed or searched, if any. */
  private list(path: string, stats: BigIntStats, depth: number): string | undefined {
    this.listed.set(path, stats);
    let directory: Dir | undefined;
    try {
      directory = opendirSync(this.absolute(path), { encoding: "buffer" as BufferEncoding, bufferSize: 256 });
      for (let entry = directory.readSync(); entry !== null && !this.tooMany; entry = directory.readSync()) {
        this.visit(path, entry.name as unknown as Buffer, depth + 1);
      }
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? "unknown error";
    } finally {
      directory?.closeSync();
    }
  }

  private visit(parent: string, name: Buffer, depth: number): void {
    this.count += 1;
    this.tooMany = this.count > (this.options.maxEntries ?? treeLimits.entries + 2);
    const text = decodeName(name);
    if (text === undefined) this.visitBytes(parent, name);
    else this.visitText(parent === "" ? text : `${parent}/${text}`, parent, depth);
  }

  private visitText(path: string, parent: string, depth: number): void {
    if (this.options.skip(path)) {
      this.seen.add(path);
      return;
    }
    const stats = lstatIfThere(this.absolute(path));
    if (stats === undefined) this.unstable.add(parent);
    else this.enter(path, stats, depth);
  }

  private visitBytes(parent: string, name: Buffer): void {
    const bytes = Buffer.concat([Buffer.from(parent === "" ? "" : `${parent}/`), name]);
    const stats = lstatIfThere(Buffer.concat([Buffer.from(`${this.root}/`), bytes]));
    if (stats === undefined) this.unstable.add(parent);
    else this.observed.push(toObserved(showBytes(bytes), false, stats, undefined));
  }

  private isChanged(path: string, stats: BigIntStats): boolean {
    const now = attempt(() => lstatIfThere(this.absolute(path)));
    return (
      now === undefined ||
      now.ino !== stats.ino ||
      now.dev !== stats.dev ||
      now.mode !== stats.mode ||
      now.mtimeNs !== stats.mtimeNs ||
      now.ctimeNs !== stats.ctimeNs
    );
  }

  private absolute(path: string): string {
    return path === "" ? this.root : `${this.root}/${path}`;
  }
}

/** Undefined where it is gone since it was listed; every other refusal is thrown and is the directory's trouble. */
function lstatIfThere(path: string | Buffer): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

function toObserved(path: string, utf8: boolean, stats: BigIntStats, reason: string | undefined): Observed {
  const mode = Number(stats.mode);
  return {
    path,
    utf8,
    kind: toKind(mode),
    mode,
    device: stats.dev,
    inode: stats.ino,
    links: Number(stats.nlink),
    size: Number(stats.size),
    digest: "",
    ...(reason === undefined ? {} : { trouble: { kind: "unread", reason } }),
  };
}
