import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { controlFiles } from "../../src/tree/limits.ts";
import { pick, type TestPack } from "./random-pack.ts";

/** One random edit of a pack: what it did, and how to take it back. */
export interface Applied {
  readonly what: string;
  readonly undo: () => void;
}

/** Applies one random edit that makes a sound pack wrong. */
export function mutateAtRandom(pack: TestPack, random: () => number): Applied {
  return pick(random, kinds)(pack, random);
}

type Kind = (pack: TestPack, random: () => number) => Applied;

const kinds: readonly Kind[] = [
  flip,
  flip,
  truncate,
  append,
  chmod,
  chmod,
  remove,
  replaceFile,
  replaceDirectory,
  addEntry,
  addEntry,
  swap,
  linkOutside,
];

function pickFile({ listing }: TestPack, random: () => number): string {
  const files = listing.entries.filter((entry) => entry.type !== "d" && entry.size > 0);
  return pick(random, [...controlFiles, ...files.map((entry) => entry.path)]);
}

function pickDirectory({ listing }: TestPack, random: () => number): string {
  return pick(random, [
    "",
    ...listing.entries.filter((entry) => entry.type === "d").map((entry) => entry.path),
  ]);
}

function keep(path: string): () => void {
  const bytes = readFileSync(path);
  return () => writeFileSync(path, bytes);
}

function flip(pack: TestPack, random: () => number): Applied {
  const name = pickFile(pack, random);
  const path = join(pack.root, name);
  const undo = keep(path);
  const bytes = readFileSync(path);
  const index = Math.floor(random() * bytes.length);
  const bit = Math.floor(random() * 8);
  bytes[index] = (bytes[index] as number) ^ (1 << bit);
  writeFileSync(path, bytes);
  return { what: `flip bit ${bit} of byte ${index} of ${name}`, undo };
}

function truncate(pack: TestPack, random: () => number): Applied {
  const name = pickFile(pack, random);
  const path = join(pack.root, name);
  const undo = keep(path);
  const length = Math.floor(random() * readFileSync(path).length);
  truncateSync(path, length);
  return { what: `truncate ${name} to ${length}`, undo };
}

function append(pack: TestPack, random: () => number): Applied {
  const name = pickFile(pack, random);
  const undo = keep(join(pack.root, name));
  appendFileSync(join(pack.root, name), pick(random, ["\n", " ", "\0", "x", "}", "\r\n", "0".repeat(5000)]));
  return { what: `append to ${name}`, undo };
}

const wrongModes = {
  d: [0o777, 0o775, 0o757, 0o1755, 0o2755, 0o4755, 0o644, 0],
  f: [0o755, 0o744, 0o645, 0o666, 0o664, 0o4644, 0o2644, 0o1644, 0],
  x: [0o644, 0o744, 0o754, 0o777, 0o775, 0o4755, 0o2755, 0o1755, 0],
};

function chmod({ root, listing }: TestPack, random: () => number): Applied {
  const control = controlFiles.map((path) => ({ path, type: "f" as const }));
  const { path, type } = pick(random, [{ path: "", type: "d" as const }, ...control, ...listing.entries]);
  const mode = pick(random, wrongModes[type]);
  chmodSync(join(root, path), mode);
  const undo = () => chmodSync(join(root, path), type === "f" ? 0o644 : 0o755);
  return { what: `mode ${mode.toString(8)} for ${path}`, undo };
}

function setAside(pack: TestPack, name: string): () => void {
  const aside = `${pack.root}.aside`;
  renameSync(join(pack.root, name), aside);
  return () => {
    rmSync(join(pack.root, name), { recursive: true, force: true });
    renameSync(aside, join(pack.root, name));
  };
}

function remove(pack: TestPack, random: () => number): Applied {
  const name = pick(random, [...controlFiles, ...pack.listing.entries.map((entry) => entry.path)]);
  return { what: `remove ${name}`, undo: setAside(pack, name) };
}

function replaceFile(pack: TestPack, random: () => number): Applied {
  const name = pickFile(pack, random);
  const path = join(pack.root, name);
  const undo = setAside(pack, name);
  const how = pick(random, ["directory", "link to it", "dangling link"]);
  if (how === "directory") mkdirSync(path);
  else symlinkSync(how === "link to it" ? `${pack.root}.aside` : "nowhere", path);
  return { what: `${how} for ${name}`, undo };
}

function replaceDirectory(pack: TestPack, random: () => number): Applied {
  const name = pickDirectory(pack, random) || "node_modules";
  const undo = setAside(pack, name);
  const how = pick(random, ["file", "link to it"]);
  if (how === "file") writeFileSync(join(pack.root, name), "");
  else symlinkSync(`${pack.root}.aside`, join(pack.root, name));
  return { what: `${how} for ${name}`, undo };
}

/** Any bytes that a file system takes as a name. */
export function randomFileName(random: () => number): Buffer {
  const byte = () => {
    const value = 1 + Math.floor(random() * 255);
    return value === 0x2f ? 0x30 : value;
  };
  const name = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 12) }, byte));
  return /^\.{1,2}$/.test(name.toString("latin1")) ? Buffer.from("dots") : name;
}

function addEntry(pack: TestPack, random: () => number): Applied {
  const parent = pickDirectory(pack, random);
  const name = randomFileName(random);
  const path = Buffer.concat([Buffer.from(`${join(pack.root, parent)}/`), name]);
  if (existsSync(path)) return addEntry(pack, random);
  const how = pick(random, ["file", "directory", "link"]);
  if (how === "file") writeFileSync(path, "");
  else if (how === "directory") mkdirSync(path);
  else symlinkSync("package.json", path);
  const undo = () => (how === "directory" ? rmdirSync(path) : unlinkSync(path));
  return { what: `extra ${how} ${name.toString("hex")} in ${parent}`, undo };
}

function swap(pack: TestPack, random: () => number): Applied {
  const [a, b] = [pickFile(pack, random), pickFile(pack, random)];
  const [left, right] = [readFileSync(join(pack.root, a)), readFileSync(join(pack.root, b))];
  if (left.equals(right)) return swap(pack, random);
  writeFileSync(join(pack.root, a), right);
  writeFileSync(join(pack.root, b), left);
  const undo = () => {
    writeFileSync(join(pack.root, a), left);
    writeFileSync(join(pack.root, b), right);
  };
  return { what: `swap ${a} and ${b}`, undo };
}

function linkOutside(pack: TestPack, random: () => number): Applied {
  const name = pickFile(pack, random);
  linkSync(join(pack.root, name), `${pack.root}.link`);
  return { what: `hard link to ${name}`, undo: () => rmSync(`${pack.root}.link`) };
}
