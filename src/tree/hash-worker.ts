/**
 * What the hashing threads share. Everything in it can be cloned to a worker; the buffers are shared memory, written
 * once per file by the thread that claimed it.
 */
export interface HashJob {
  readonly root: string;
  /** Paths below the root, largest files first. */
  readonly paths: readonly string[];
  /** The size that each file must have; a file of another size is not read. */
  readonly sizes: Float64Array;
  /** One Int32: the index of the next file that no thread has claimed. */
  readonly next: SharedArrayBuffer;
  /** One Int32 per file: 0 until done, then one of `states`. */
  readonly state: SharedArrayBuffer;
  /** One Int32 per file: errno as Node gives it (negative), where the state is `noStat` or `noRead`. */
  readonly errno: SharedArrayBuffer;
  /** Five Uint64 per file, from lstat: device, inode, mode, links, size. */
  readonly stats: SharedArrayBuffer;
  /** 32 bytes per file: SHA-256. */
  readonly digests: SharedArrayBuffer;
  readonly states: HashStates;
}

export type HashStates = Readonly<
  Record<"hashed" | "otherKind" | "otherSize" | "changed" | "noStat" | "noRead", number>
>;

/**
 * Claims files and hashes them until none is left (true) or the time is up (false). Runs in the main thread and, as
 * text, in workers: it may use nothing from outside itself. Opens regular files only, never through a link at the
 * last name, never blocking (design 7), and holds each to one identity: lstat, fstat after open, fstat after reading.
 */
export function hashSome(job: HashJob, milliseconds: number): boolean {
  const fs = process.getBuiltinModule("node:fs");
  const { createHash, hash } = process.getBuiltinModule("node:crypto");
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  const bigint = { bigint: true } as const;
  const buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(1024 * 1024, job.sizes[0] ?? 0)));
  const next = new Int32Array(job.next);
  const state = new Int32Array(job.state);
  const errno = new Int32Array(job.errno);
  const stats = new BigUint64Array(job.stats);
  const digests = new Uint8Array(job.digests);
  const until = performance.now() + milliseconds;
  for (;;) {
    const index = Atomics.add(next, 0, 1);
    if (index >= job.paths.length) return true;
    state[index] = look(index, `${job.root}/${job.paths[index]}`);
    if (performance.now() > until) return false;
  }

  function look(index: number, path: string): number {
    const before = attempt(index, () => fs.lstatSync(path, bigint));
    if (before === undefined) return job.states.noStat;
    stats.set([before.dev, before.ino, before.mode, before.nlink, before.size], index * 5);
    if (!before.isFile()) return job.states.otherKind;
    if (Number(before.size) !== job.sizes[index]) return job.states.otherSize;
    return read(index, path, before);
  }

  function read(index: number, path: string, before: import("node:fs").BigIntStats): number {
    const file = attempt(index, () => fs.openSync(path, flags));
    // A link or nothing at all, where lstat has just seen a regular file.
    if (file === undefined) return vanished(index) ? job.states.changed : job.states.noRead;
    try {
      if (!isSame(before, fs.fstatSync(file, bigint))) return job.states.changed;
      const digest = attempt(index, () => digestOf(file, Number(before.size)));
      if (digest === undefined) return job.states.noRead;
      if (!isSame(before, fs.fstatSync(file, bigint))) return job.states.changed;
      digests.set(digest, index * 32);
      return job.states.hashed;
    } finally {
      fs.closeSync(file);
    }
  }

  function digestOf(file: number, size: number): Uint8Array {
    const first = fs.readSync(file, buffer, 0, buffer.length, null);
    if (first === size) return hash("sha256", buffer.subarray(0, first), "buffer");
    const digest = createHash("sha256").update(buffer.subarray(0, first));
    for (let done = first; done < size; ) {
      const count = fs.readSync(file, buffer, 0, buffer.length, null);
      if (count === 0) break;
      digest.update(buffer.subarray(0, count));
      done += count;
    }
    return digest.digest();
  }

  function isSame(a: import("node:fs").BigIntStats, b: import("node:fs").BigIntStats): boolean {
    return (
      a.ino === b.ino &&
      a.dev === b.dev &&
      a.mode === b.mode &&
      a.size === b.size &&
      a.nlink === b.nlink &&
      a.mtimeNs === b.mtimeNs &&
      a.ctimeNs === b.ctimeNs
    );
  }

  function attempt<T>(index: number, call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      errno[index] = (error as { errno?: number }).errno ?? -5;
      return undefined;
    }
  }

  function vanished(index: number): boolean {
    const { ELOOP, ENOENT, ENXIO, ENOTDIR } = process.getBuiltinModule("node:os").constants.errno;
    return [ELOOP, ENOENT, ENXIO, ENOTDIR].includes(-(errno[index] as number));
  }
}
