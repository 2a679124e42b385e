import type Arborist from "@npmcli/arborist";
import type { NpmOptions } from "../fetch/npm-options.ts";

/** Engines of packages decide which version npm prefers; a pack without an interpreter runs no package's code. */
const neutralNode = "24.21.0";

/** npm's options that say where bytes come from and how to get there; nothing else of the machine's is passed on. */
const transportKeys: readonly string[] = [
  "registry",
  "proxy",
  "httpsProxy",
  "noProxy",
  "ca",
  "cert",
  "key",
  "strictSSL",
  "localAddress",
  "maxSockets",
  "retry",
  "timeout",
  "userAgent",
];

/**
 * Options of one resolution (B6). Every option that shapes the lock is set here, so that two machines with different
 * npm configurations write the same bytes.
 * @param interpreter version of the pack's Node, by which npm chooses among versions with `engines`
 */
export function toResolutionOptions(
  npm: NpmOptions,
  interpreter: string | undefined,
  folders: { readonly path: string; readonly cache: string },
): Arborist.Options {
  return {
    ...toTransport(npm),
    ...shape,
    ...folders,
    nodeVersion: interpreter ?? neutralNode,
  } as Arborist.Options;
}

const shape = {
  // What the file looks like.
  lockfileVersion: 3,
  omitLockfileRegistryResolved: true,
  formatPackageLock: true,
  // Which tree is chosen.
  installStrategy: "hoisted",
  legacyPeerDeps: false,
  strictPeerDeps: false,
  preferDedupe: false,
  installLinks: false,
  engineStrict: false,
  force: false,
  global: false,
  omit: [],
  workspacesEnabled: false,
  defaultTag: "latest",
  before: null,
  minReleaseAgeExclude: [],
  packageLock: true,
  packageLockOnly: true,
  ignoreExtension: true,
  // Only registries: a git dependency would be cloned and prepared.
  allowGit: "none",
  allowRemote: "none",
  allowFile: "none",
  allowDirectory: "none",
  // Nothing runs, nothing old is believed.
  ignoreScripts: true,
  offline: false,
  preferOffline: false,
  preferOnline: true,
  replaceRegistryHost: "npmjs",
  audit: false,
  progress: false,
  save: true,
} as const;

function toTransport(npm: NpmOptions): Record<string, unknown> {
  const isTransport = (key: string) =>
    transportKeys.includes(key) || key.startsWith("//") || /^@[^/:]+:registry$/.test(key);
  return Object.fromEntries(Object.entries(npm).filter(([key]) => isTransport(key)));
}
