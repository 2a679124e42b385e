import { isAbsolute, join } from "node:path";

/** `$XDG_CACHE_HOME/sealpack`, or `~/.cache/sealpack` where that is unset or, against the XDG rule, relative. */
export function defaultCacheDir(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const base = env.XDG_CACHE_HOME;
  return base !== undefined && isAbsolute(base) ? join(base, "sealpack") : join(home, ".cache", "sealpack");
}
