declare module "@npmcli/config" {
  export default class Config {
    constructor(options: {
      readonly npmPath: string;
      readonly definitions: Readonly<Record<string, unknown>>;
      readonly shorthands: Readonly<Record<string, unknown>>;
      readonly flatten: (values: object, flat?: object) => object;
      readonly nerfDarts?: readonly string[];
      readonly argv?: readonly string[];
      readonly env?: Record<string, string | undefined>;
      readonly execPath?: string;
      readonly cwd?: string;
      readonly warn?: boolean;
    });
    load(): Promise<void>;
    get(key: string): unknown;
    readonly flat: Record<string, unknown>;
  }
}

declare module "@npmcli/config/lib/definitions/index.js" {
  const contents: {
    readonly definitions: Readonly<Record<string, unknown>>;
    readonly shorthands: Readonly<Record<string, unknown>>;
    readonly flatten: (values: object, flat?: object) => object;
    readonly nerfDarts: readonly string[];
    readonly defaults: { readonly registry: string } & Readonly<Record<string, unknown>>;
  };
  export default contents;
}
