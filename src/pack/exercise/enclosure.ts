import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { findTool } from "./find-tool.ts";

/** One way of running a command apart from this machine; the first that works here is taken. */
export interface Enclosure {
  readonly kind: "namespaces" | "mounts" | "direct";
  /** Starts the script. */
  readonly prefix: readonly string[];
  /** Starts the command inside the script, with fewer rights. */
  readonly drop: readonly string[];
  /** Standard directory that the script covers with a tmpfs; in a direct one, where temporary folders go. */
  readonly stage: string;
  /** `uid:gid` that the command's home belongs to, "" for the one who runs the script. */
  readonly owner: string;
}

/** Nobody, by number: a name would be looked up in files of this machine. */
const nobody = 65534;

const fewer = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"];

/**
 * The ways to try for a tree at `root`, best first. A PID namespace makes sure that nothing outlives a command; where
 * /proc cannot be mounted (some containers) it is left out. `direct` cuts nothing: it is for systems without a network.
 */
export function planEnclosures(root: string, asRoot: boolean): Enclosure[] {
  const [unshare, mount, setpriv] = [findTool("unshare"), findTool("mount"), findTool("setpriv")];
  const stage = findStage(root);
  const direct = toDirect(setpriv, asRoot);
  if (unshare === undefined || mount === undefined || setpriv === undefined || stage === undefined)
    return direct;
  const drops = asRoot ? [toNobody(setpriv)] : [toNested(setpriv, unshare), [setpriv, ...fewer, "--"]];
  const shared = { stage, owner: asRoot ? `${nobody}:${nobody}` : "" };
  const start = [setpriv, "--pdeathsig", "KILL", "--", unshare, ...(asRoot ? [] : ["-r"]), "-n", "-m"];
  const alone = ["-p", "--fork", "--kill-child", "--mount-proc"];
  return [
    ...drops.map((drop) => ({ ...shared, kind: "namespaces" as const, prefix: [...start, ...alone], drop })),
    ...drops.slice(-1).map((drop) => ({ ...shared, kind: "mounts" as const, prefix: start, drop })),
    ...direct,
  ];
}

function toDirect(setpriv: string | undefined, asRoot: boolean): Enclosure[] {
  const shared = { kind: "direct" as const, stage: tmpdir() };
  if (!asRoot) {
    const drop = setpriv === undefined ? [] : [setpriv, "--no-new-privs", "--"];
    return [{ ...shared, prefix: [], drop, owner: "" }];
  }
  if (setpriv === undefined) return [];
  return [{ ...shared, prefix: [], drop: toNobody(setpriv), owner: `${nobody}:${nobody}` }];
}

function toNobody(setpriv: string): string[] {
  return [setpriv, "--reuid", `${nobody}`, "--regid", `${nobody}`, "--clear-groups", ...fewer, "--"];
}

/** An ordinary user is 0 in the user namespace that mounts; programs should see an ordinary user again. */
function toNested(setpriv: string, unshare: string): string[] {
  const again = [unshare, "-U", `--map-user=${nobody}`, `--map-group=${nobody}`, "--"];
  return [setpriv, "--inh-caps=-all", "--bounding-set=-all", "--", ...again, setpriv, "--no-new-privs", "--"];
}

/** Covered only inside the namespace, so nothing on the machine changes; must not hide the tree that is bound into it. */
function findStage(root: string): string | undefined {
  return ["/mnt", "/media", "/srv", "/opt", "/tmp"].find(
    (folder) => !root.startsWith(`${folder}/`) && isSearchableDirectory(folder),
  );
}

function isSearchableDirectory(folder: string): boolean {
  const stat = statSync(folder, { throwIfNoEntry: false });
  const parent = statSync(dirname(folder), { throwIfNoEntry: false });
  return stat?.isDirectory() === true && ((parent?.mode ?? 0) & 0o001) === 0o001;
}
