import type { Target } from "../definition/target.ts";

/** One package that a target gets, at its place in the tree. */
export interface PlannedPackage {
  /** Lock location, `node_modules/…`. */
  readonly location: string;
  /** The package's own name, which an alias hides: what its package.json must say. */
  readonly name: string;
  readonly version: string;
  /** SRI with sha512; "" for a package that comes inside its parent's tarball. */
  readonly integrity: string;
  /** Present where the lock names a URL. A hint for the download, never an identity. */
  readonly resolved?: string;
  /** Location of the package whose tarball brings this one. */
  readonly bundledIn?: string;
  readonly hasInstallScript: boolean;
}

/** What one target of a lock consists of. A pure function of lock and target, whatever machine plans it. */
export interface Plan {
  readonly target: Target;
  /** Sorted by the bytes of `location`. */
  readonly packages: readonly PlannedPackage[];
  /** What a reader should know and nothing must stop for: an absent optional dependency of another target. */
  readonly notes: readonly string[];
}
