/** Set when a bridge is compiled, from the version that pack.yaml declares for it. */
declare const __SEALPACK_BRIDGE_VERSION__: string | undefined;

/** The bridge's own pinned version; `0.0.0-source` where it runs from its sources. */
export const bridgeVersion: string =
  typeof __SEALPACK_BRIDGE_VERSION__ === "string" ? __SEALPACK_BRIDGE_VERSION__ : "0.0.0-source";
