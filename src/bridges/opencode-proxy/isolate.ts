import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folders = {
  HOME: "home",
  XDG_CONFIG_HOME: "config",
  XDG_DATA_HOME: "data",
  XDG_STATE_HOME: "state",
  XDG_CACHE_HOME: "cache",
  TMPDIR: "tmp",
} as const;

/** Off: whatever would reach the network by itself, or wait for a person at a screen. */
const switches = {
  OPENCODE_CLIENT: "acp",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_SHARE: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_EMBEDDED_WEB_UI: "1",
} as const;

/** Makes a home for OpenCode below `state`, and gives the environment that keeps it there. */
export function isolate(state: string): Readonly<Record<string, string>> {
  const paths = Object.entries(folders).map(([name, folder]) => [name, join(state, folder)] as const);
  for (const path of [...paths.map(([, path]) => path), join(state, "work")]) makeFolder(path);
  satisfyInstaller(join(state, folders.XDG_CONFIG_HOME, "opencode"));
  return { ...Object.fromEntries(paths), ...switches };
}

/**
 * OpenCode installs its plugin interface from npm into each of its configuration directories, unless the lockfile there
 * already names it (measured with 1.18.32; no variable switches it off). Plugins are off, so nothing needs it, and
 * nothing may be downloaded when a task starts (A3).
 */
function satisfyInstaller(folder: string): void {
  const root = { dependencies: { "@opencode-ai/plugin": "*" } };
  makeFolder(join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(root)}\n`);
  writeFileSync(
    join(folder, "package-lock.json"),
    `${JSON.stringify({ lockfileVersion: 3, packages: { "": root } })}\n`,
  );
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
