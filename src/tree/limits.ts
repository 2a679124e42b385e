/**
 * Bounds of what a pack may hold (design 7). The real pack has 13,702 entries, 1.3 GB and depth 16; each bound
 * leaves room and still keeps a hostile listing or tree from costing more than seconds and tens of megabytes.
 */
export const treeLimits = {
  listingBytes: 16 * 1024 * 1024,
  entries: 80_000,
  /** Sum of the files' sizes. */
  treeBytes: 16 * 1024 ** 3,
  pathBytes: 1024,
  depth: 64,
} as const;

/** The two files at a pack's root that stand outside its listing (design 1). */
export const controlFiles = ["sealpack.json", "sealpack.tree"] as const;
