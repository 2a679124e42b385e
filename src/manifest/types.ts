/** The manifest `sealpack.json`, version 1 (design 3). Every key is always present; an empty map is `{}`. */
export interface Manifest {
  readonly schema: "sealpack/manifest/v1";
  /** `sha256:` and 64 hex, over the payload in RFC 8785 form: the manifest digest, the identity of what came out. */
  readonly digest: string;
  readonly payload: Payload;
}

export interface Payload extends ExpectedPayload {
  /** 40 lowercase hex; 7 to 39 only where `release` is false. Provenance. */
  readonly sourceRevision: string;
  /** False when dirty, unexercised or abbreviated: admission refuses it. */
  readonly release: boolean;
}

/** The payload without provenance: what a committed `manifests/<pack>/<target>.json` binds (design 4). */
export interface ExpectedPayload {
  readonly name: string;
  readonly target: ManifestTarget;
  readonly lock: ManifestLock;
  /** `{}` where no command has an entry script. */
  readonly interpreter: ManifestInterpreter | Readonly<Record<string, never>>;
  /** Lock location (`node_modules/…`) to component. */
  readonly components: Readonly<Record<string, ManifestComponent>>;
  readonly commands: Readonly<Record<string, ManifestCommand>>;
  readonly bridges: Readonly<Record<string, ManifestBridge>>;
  /** SHA-256 of `bridges` in RFC 8785 form, 64 hex. */
  readonly bridgeDigest: string;
  readonly prerequisites: Readonly<Record<string, ManifestPrerequisite>>;
  readonly candidates: Readonly<Record<string, ManifestCandidate>>;
  readonly requires: ManifestRequires;
  readonly tree: ManifestTree;
}

export interface ExpectedDocument {
  readonly schema: "sealpack/expected/v1";
  readonly payload: ExpectedPayload;
}

export interface ManifestTarget {
  readonly platform: "linux" | "darwin";
  readonly architecture: "x64" | "arm64";
  /** `none` where the platform has no choice of libc (darwin). */
  readonly libc: "glibc" | "musl" | "none";
}

export interface ManifestLock {
  readonly manager: "npm";
  readonly path: string;
  readonly sha256: string;
}

export interface ManifestInterpreter {
  readonly path: string;
  readonly version: string;
  readonly minimum: string;
  readonly undici: string;
  readonly sha256: string;
}

export interface ManifestComponent {
  readonly name: string;
  readonly version: string;
  /** The lock's SRI; "" for a component that came bundled in its parent's tarball. */
  readonly integrity: string;
  readonly patches: readonly ManifestPatch[];
  /** SHA-256 of the component's own listing lines (design 2). */
  readonly digest: string;
}

export interface ManifestPatch {
  readonly file: string;
  readonly sha256: string;
}

/** A file inside the pack and the SHA-256 of its bytes. */
export interface ManifestFile {
  readonly path: string;
  readonly sha256: string;
}

export interface ManifestCommand {
  readonly launcher: ManifestFile;
  /** The native executable; for a JavaScript command the pack's interpreter. */
  readonly executable: ManifestFile;
  /** A JavaScript command's script. */
  readonly entry?: ManifestFile;
  /** What the command prints for its version, one line without the newline. */
  readonly version: string;
}

export interface ManifestBridge {
  readonly version: string;
  readonly path: string;
  /** A compiled bridge's file digest, or a package bridge's component digest. */
  readonly sha256: string;
  /** The package's SRI for a package bridge; for a compiled one, what it was built from. */
  readonly builtFrom: string;
}

/** A host-provided executable that the pack only launches (requirement C4). */
export interface ManifestPrerequisite {
  readonly version: string;
  readonly path: string;
  readonly sha256: string;
}

/** A candidate provider's complete asset tree (requirement C1). Its presence enables nothing. */
export interface ManifestCandidate {
  readonly version: string;
  readonly path: string;
  readonly model: string;
  readonly profileDigest: string;
  readonly closureDigest: string;
  readonly qualification: "pending";
}

/** What the declared executables need from the host, sorted; empty where nothing native is declared. */
export interface ManifestRequires {
  readonly elfInterpreters: readonly string[];
  /** DT_NEEDED names that no RUNPATH inside the pack resolves. */
  readonly libraries: readonly string[];
  /** Highest version needed, as `2.28`; "" for none. */
  readonly glibc: string;
  readonly glibcxx: string;
  readonly cpu: readonly string[];
}

export interface ManifestTree {
  readonly digest: string;
  readonly entries: number;
  readonly bytes: number;
}
