/** npm's flat options: registry, scoped registries, credentials by registry, proxy, certificates, retries. Holds secrets. */
export type NpmOptions = Readonly<Record<string, unknown>>;
