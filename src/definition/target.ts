/** Where a pack runs. `id` is what a definition and the command line call it. */
export interface Target {
  readonly id: TargetId;
  readonly platform: "linux" | "darwin";
  readonly architecture: "x64" | "arm64";
  /** `none` where the platform has no choice of libc. */
  readonly libc: "glibc" | "musl" | "none";
}

export const targetIds = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
] as const;

export type TargetId = (typeof targetIds)[number];

export function isTargetId(value: string): value is TargetId {
  return (targetIds as readonly string[]).includes(value);
}

export function toTarget(id: TargetId): Target {
  const [platform, architecture, libc] = id.split("-") as ["linux" | "darwin", "x64" | "arm64", "musl"?];
  return { id, platform, architecture, libc: platform === "darwin" ? "none" : (libc ?? "glibc") };
}
