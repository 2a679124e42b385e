/** Longest path that a definition may name, in characters. */
const maximumLength = 1024;

/**
 * True for a normal relative path: `/` between names, no empty, `.` or `..` part, no backslash, control character,
 * drive letter or lone surrogate (design 1 and 7).
 */
export function isPackPath(path: string): boolean {
  if (path.length === 0 || path.length > maximumLength) return false;
  if (/[\u0000-\u001f\u007f\\]/.test(path) || /^[A-Za-z]:/.test(path) || !path.isWellFormed()) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Paths that the build writes itself, so that no placement may land there. */
export function isReservedPath(path: string, lockPath: string): boolean {
  const files = ["sealpack.json", "sealpack.tree", "package.json", lockPath];
  const folders = ["node_modules/.bin", "dist", "provider-assets"];
  return files.includes(path) || folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
