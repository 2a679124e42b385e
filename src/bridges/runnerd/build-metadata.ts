declare const __SEALPACK_BUILD__:
  | { readonly packageName: string; readonly packageVersion: string; readonly sourceRevision: string }
  | undefined;

/** The ways in which a connection can come about: exactly those that work (D6). */
export const prpTransportModes = ["dial_ws_loopback", "dial_wss", "listen_ws"] as const;
export type TransportMode = (typeof prpTransportModes)[number];

/** Version 2 of what a controller may rely on: command line, tickets, frames. */
export const binaryContractVersion = 2;

/** What `paperclip-runnerd --build-metadata` prints. The three build facts are set when runnerd is compiled. */
export const buildMetadata = {
  schema: "paperclip-runner/runnerd-build-metadata/v1",
  binaryName: "paperclip-runnerd",
  ...(typeof __SEALPACK_BUILD__ === "object"
    ? __SEALPACK_BUILD__
    : { packageName: "sealpack", packageVersion: "0.0.0-source", sourceRevision: "0".repeat(40) }),
  binaryContractVersion,
  prpTransportModes,
} as const;
