/** One package of a lock, as the lock describes it. Nothing here has been believed yet beyond its shape. */
export interface LockEntry {
  /** `node_modules/…`. */
  readonly location: string;
  /** Name of the folder; differs from `name` for an alias. */
  readonly folder: string;
  /** The package's own name. */
  readonly name: string;
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link: boolean;
  readonly inBundle: boolean;
  /** Names that the package's tarball brings along; true for all its dependencies. */
  readonly bundles: readonly string[] | boolean;
  readonly hasInstallScript: boolean;
  readonly hasShrinkwrap: boolean;
  readonly os: readonly string[];
  readonly cpu: readonly string[];
  readonly libc: readonly string[];
  /** Names of the commands that npm would link. */
  readonly commands: readonly string[];
  /** Keys of npm features that change a package's content. */
  readonly unsupported: readonly string[];
}

/** package.json as far as it decides about the lock; also the lock's own copy of it. */
export interface RootManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

export interface ParsedLock {
  readonly root: RootManifest;
  /** Sorted by the bytes of `location`. */
  readonly entries: readonly LockEntry[];
}
