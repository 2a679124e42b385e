import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import type { ManifestCode } from "../../src/manifest/errors.ts";
import type { TreeCode } from "../../src/tree/errors.ts";

/** One edit of a small pack (`smallPack`), and the one finding per line that it must give. */
export interface Mutation {
  readonly name: string;
  /** Edits the pack; what it returns undoes what outlives the folder. */
  readonly apply: (root: string) => void | (() => void) | Promise<() => void>;
  readonly finds: readonly { readonly code: TreeCode | ManifestCode; readonly path: string }[];
  /** Permission bits bind everyone but root: the verifier must run as another user. */
  readonly unprivileged?: true;
}

const file = "node_modules/alpha/index.js";
const twin = "node_modules/alpha/other.js";
const native = "node_modules/alpha/native";
const hollow = "node_modules/alpha/hollow";
const folder = "node_modules/alpha/a b";
const manifest = "sealpack.json";
const listing = "sealpack.tree";

/** A row: name, code, path, edit. */
function row(
  name: string,
  code: TreeCode | ManifestCode,
  path: string,
  apply: Mutation["apply"],
  unprivileged?: true,
): Mutation {
  return { name, apply, finds: [{ code, path }], ...(unprivileged ? { unprivileged } : {}) };
}

function mode(path: string, bits: number): Mutation["apply"] {
  return (root) => {
    chmodSync(join(root, path), bits);
    return () => chmodSync(join(root, path), 0o755);
  };
}

/** Rewrites a file at the root as text. */
function edit(name: string, change: (text: string) => string | Uint8Array): Mutation["apply"] {
  return (root) => {
    const path = join(root, name);
    const before = readFileSync(path, "utf8");
    const after = change(before);
    if (after === before) throw new Error("the mutation changes nothing");
    writeFileSync(path, after);
  };
}

function replaceBy(path: string, make: (absolute: string) => void): Mutation["apply"] {
  return (root) => {
    rmSync(join(root, path), { recursive: true });
    make(join(root, path));
  };
}

function makeFifo(path: string): void {
  execFileSync("mkfifo", ["-m", "644", path]);
}

async function makeSocket(path: string): Promise<() => void> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  chmodSync(path, 0o755);
  return () => server.close();
}

const contents: readonly Mutation[] = [
  row("one byte", "tree.content", file, (root) => {
    const bytes = readFileSync(join(root, file));
    bytes[3] = (bytes[3] as number) ^ 1;
    writeFileSync(join(root, file), bytes);
  }),
  row("truncated", "tree.size", file, (root) => truncateSync(join(root, file), 5)),
  row("emptied", "tree.size", file, (root) => truncateSync(join(root, file), 0)),
  row("grown", "tree.size", file, (root) => appendFileSync(join(root, file), "x")),
  row("an empty file grown", "tree.size", "node_modules/alpha/empty.txt", (root) =>
    appendFileSync(join(root, "node_modules/alpha/empty.txt"), "x"),
  ),
  {
    name: "two files swapped",
    apply: (root) => {
      renameSync(join(root, file), join(root, "swap"));
      renameSync(join(root, twin), join(root, file));
      renameSync(join(root, "swap"), join(root, twin));
    },
    finds: [
      { code: "tree.content", path: file },
      { code: "tree.content", path: twin },
    ],
  },
  row("hard link to outside", "tree.hard-link-outside", file, (root) =>
    linkSync(join(root, file), `${root}.outside`),
  ),
  row("sealpack.json linked to outside", "tree.hard-link-outside", manifest, (root) =>
    linkSync(join(root, manifest), `${root}.outside`),
  ),
];

const modes: readonly Mutation[] = [
  row("644 to 755", "tree.mode-executable", file, mode(file, 0o755)),
  row("755 to 644", "tree.mode-not-executable", native, mode(native, 0o644)),
  row("644 to 744", "tree.mode-partial-execute", file, mode(file, 0o744)),
  row("755 to 754", "tree.mode-partial-execute", native, mode(native, 0o754)),
  row("4755", "tree.mode-setuid", native, mode(native, 0o4755)),
  row("2755", "tree.mode-setgid", native, mode(native, 0o2755)),
  row("1644", "tree.mode-sticky", file, mode(file, 0o1644)),
  row("directory 1755", "tree.mode-sticky", hollow, mode(hollow, 0o1755)),
  row("000", "tree.mode-unreadable", file, mode(file, 0)),
  row("000 of an executable", "tree.mode-unreadable", native, mode(native, 0)),
  row("000 as another user", "tree.mode-unreadable", file, mode(file, 0), true),
  row("666", "tree.mode-writable", file, mode(file, 0o666)),
  row("664", "tree.mode-writable", file, mode(file, 0o664)),
  row("646", "tree.mode-writable", file, mode(file, 0o646)),
  row("directory 0777", "tree.mode-writable", folder, mode(folder, 0o777)),
  row("root 0777", "tree.mode-writable", ".", mode("", 0o777)),
  row("sealpack.json 666", "tree.mode-writable", manifest, mode(manifest, 0o666)),
  row("sealpack.tree 755", "tree.mode-executable", listing, mode(listing, 0o755)),
  row("directory 000", "tree.mode-unreadable", folder, mode(folder, 0)),
  row("directory 000 as another user", "tree.mode-unreadable", folder, mode(folder, 0), true),
  row("directory 644", "tree.mode-not-searchable", folder, mode(folder, 0o644)),
  row("directory 644 as another user", "tree.mode-not-searchable", folder, mode(folder, 0o644), true),
  row("a file that its reader cannot read", "tree.cannot-read-file", file, mode(file, 0o044), true),
  row(
    "a directory that cannot be read",
    "tree.cannot-read-directory",
    "node_modules/alpha",
    mode("node_modules/alpha", 0o055),
    true,
  ),
  row(
    "a directory that its reader cannot search",
    "tree.cannot-read-directory",
    "node_modules/alpha",
    mode("node_modules/alpha", 0o455),
    true,
  ),
  row("sealpack.json that cannot be read", "manifest.cannot-read", manifest, mode(manifest, 0o044), true),
  row("sealpack.tree that cannot be read", "manifest.cannot-read", listing, mode(listing, 0o044), true),
];

const kinds: readonly Mutation[] = [
  row(
    "link for file",
    "tree.type-link",
    file,
    replaceBy(file, (path) => symlinkSync("other.js", path)),
  ),
  row(
    "dangling link for file",
    "tree.type-link",
    file,
    replaceBy(file, (path) => symlinkSync("none", path)),
  ),
  row(
    "link for directory",
    "tree.type-link",
    folder,
    replaceBy(folder, (path) => symlinkSync("hollow", path)),
  ),
  row("link for the twin directory", "tree.type-link", "node_modules/alpha", (root) => {
    renameSync(join(root, "node_modules/alpha"), `${root}.moved`);
    symlinkSync(`${root}.moved`, join(root, "node_modules/alpha"));
  }),
  row("file for an extra link", "tree.extra-file", `${hollow}/link`, (root) => {
    symlinkSync("../index.js", join(root, hollow, "link"));
    rmSync(join(root, hollow, "link"));
    writeFileSync(join(root, hollow, "link"), "");
  }),
  row(
    "directory for file",
    "tree.type-directory",
    file,
    replaceBy(file, (path) => mkdirSync(path)),
  ),
  row(
    "full directory for file",
    "tree.type-directory",
    file,
    replaceBy(file, (path) => {
      mkdirSync(path);
      writeFileSync(join(path, "inside"), "");
    }),
  ),
  row(
    "file for directory",
    "tree.type-file",
    folder,
    replaceBy(folder, (path) => writeFileSync(path, "")),
  ),
  row("FIFO for file", "tree.type-special", file, replaceBy(file, makeFifo)),
  row("FIFO", "tree.extra-special", `${hollow}/fifo`, (root) => makeFifo(join(root, hollow, "fifo"))),
  row(
    "socket",
    "tree.extra-special",
    `${hollow}/s`,
    async (root) => await makeSocket(join(root, hollow, "s")),
  ),
  row("socket for file", "tree.type-special", file, async (root) => {
    rmSync(join(root, file));
    return await makeSocket(join(root, file));
  }),
  row("link for sealpack.json", "manifest.not-a-file", manifest, (root) => {
    renameSync(join(root, manifest), `${root}.json`);
    symlinkSync(`${root}.json`, join(root, manifest));
  }),
  row("FIFO for sealpack.json", "manifest.not-a-file", manifest, replaceBy(manifest, makeFifo)),
  row(
    "directory for sealpack.tree",
    "manifest.not-a-file",
    listing,
    replaceBy(listing, (path) => mkdirSync(path)),
  ),
];

const presence: readonly Mutation[] = [
  row("missing file", "tree.missing-file", file, (root) => rmSync(join(root, file))),
  row("missing empty directory", "tree.missing-directory", hollow, (root) => rmdirSync(join(root, hollow))),
  row("missing full directory", "tree.missing-directory", "node_modules/alpha", (root) =>
    rmSync(join(root, "node_modules/alpha"), { recursive: true }),
  ),
  row("extra file", "tree.extra-file", "extra", (root) => writeFileSync(join(root, "extra"), "")),
  row("extra in an empty directory", "tree.extra-file", `${hollow}/extra`, (root) =>
    writeFileSync(join(root, hollow, "extra"), ""),
  ),
  row("extra empty directory", "tree.extra-directory", `${hollow}/more`, (root) =>
    mkdirSync(join(root, hollow, "more")),
  ),
  row("extra full directory", "tree.extra-directory", `${hollow}/more`, (root) => {
    mkdirSync(join(root, hollow, "more"));
    writeFileSync(join(root, hollow, "more/file"), "");
  }),
  row("extra link", "tree.extra-link", `${hollow}/link`, (root) =>
    symlinkSync("../index.js", join(root, hollow, "link")),
  ),
  row("extra hard link inside", "tree.extra-file", `${hollow}/same`, (root) =>
    linkSync(join(root, file), join(root, hollow, "same")),
  ),
  row("extra name that is not UTF-8", "tree.extra-not-utf8", `${hollow}/a\\xff\\x5cb`, (root) =>
    writeFileSync(Buffer.concat([Buffer.from(join(root, hollow, "a")), Buffer.from([0xff, 0x5c, 0x62])]), ""),
  ),
  row("extra name with a newline", "tree.extra-file", `${hollow}/a\\x0ab`, (root) =>
    writeFileSync(join(root, hollow, "a\nb"), ""),
  ),
  row("sealpack.json below the root", "tree.extra-file", `${hollow}/sealpack.json`, (root) =>
    writeFileSync(join(root, hollow, manifest), ""),
  ),
  row("no sealpack.json", "manifest.missing", manifest, (root) => rmSync(join(root, manifest))),
  row("no sealpack.tree", "manifest.listing-missing", listing, (root) => rmSync(join(root, listing))),
  row("no pack", "tree.root-not-a-directory", ".", (root) => rmSync(root, { recursive: true })),
  row("link for the root", "tree.root-not-a-directory", ".", (root) => {
    renameSync(root, `${root}.moved`);
    symlinkSync(`${root}.moved`, root);
  }),
];

const documents: readonly Mutation[] = [
  row(
    "listing edited",
    "manifest.tree-digest",
    listing,
    edit(listing, (text) => text.replace("\t0\t", "\t1\t")),
  ),
  row(
    "listing resorted",
    "manifest.tree-digest",
    listing,
    edit(listing, (text) => {
      const [header, ...lines] = text.trimEnd().split("\n");
      return `${[header, ...lines.reverse()].join("\n")}\n`;
    }),
  ),
  row(
    "manifest edited",
    "manifest.digest",
    manifest,
    edit(manifest, (text) => text.replace("1.0.13", "1.0.14")),
  ),
  row(
    "manifest respaced",
    "manifest.not-canonical",
    manifest,
    edit(manifest, (text) => text.replace(": ", ":")),
  ),
  row(
    "manifest with an escape",
    "manifest.not-canonical",
    manifest,
    edit(manifest, (text) => text.replace('"small"', '"sm\\u0061ll"')),
  ),
  row(
    "duplicate key",
    "manifest.not-canonical",
    manifest,
    edit(manifest, (text) => text.replace('"name": "small",', '"name": "other",\n    "name": "small",')),
  ),
  row(
    "__proto__ as a key",
    "manifest.unknown-key",
    manifest,
    edit(manifest, (text) => text.replace('"name": "small",', '"__proto__": {},\n    "name": "small",')),
  ),
  row(
    "__proto__ as a name",
    "manifest.name",
    manifest,
    edit(manifest, (text) => text.replace('"tool-0": {', '"__proto__": {')),
  ),
  row(
    "integer key",
    "manifest.name",
    manifest,
    edit(manifest, (text) => text.replace('"tool-0": {', '"7": {')),
  ),
  row(
    "extra key",
    "manifest.unknown-key",
    manifest,
    edit(manifest, (text) => text.replace('"name": "small",', '"name": "small",\n    "notes": "",')),
  ),
  row(
    "missing key",
    "manifest.missing-key",
    manifest,
    edit(manifest, (text) => text.replace('"name": "small",', "")),
  ),
  row(
    "trailing bytes",
    "manifest.not-json",
    manifest,
    edit(manifest, (text) => `${text}x`),
  ),
  row(
    "trailing newline",
    "manifest.not-canonical",
    manifest,
    edit(manifest, (text) => `${text}\n`),
  ),
  row(
    "no final newline",
    "manifest.not-canonical",
    manifest,
    edit(manifest, (text) => text.trimEnd()),
  ),
  row(
    "BOM",
    "manifest.byte-order-mark",
    manifest,
    edit(manifest, (text) => `\ufeff${text}`),
  ),
  row(
    "no UTF-8",
    "manifest.not-utf8",
    manifest,
    edit(manifest, (text) => Buffer.from(text.replace("small", "sm\u00ffll"), "latin1")),
  ),
  row(
    "2 MiB manifest",
    "manifest.too-large",
    manifest,
    edit(manifest, (text) => text + " ".repeat(2 << 20)),
  ),
  row(
    "empty manifest",
    "manifest.not-json",
    manifest,
    edit(manifest, () => ""),
  ),
  row(
    "schema v2",
    "manifest.schema-unknown",
    manifest,
    edit(manifest, (text) => text.replace("manifest/v1", "manifest/v2")),
  ),
];

/** Every row of the verifier's mutation table. */
export const mutations: readonly Mutation[] = [...contents, ...modes, ...kinds, ...presence, ...documents];
