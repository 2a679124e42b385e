import type { ImageCode } from "./errors.ts";
import { type ImageFinding, toShownText } from "./image-finding.ts";
import type { Instruction, InstructionFlag } from "./instructions.ts";
import type { PinnedReference } from "./reference.ts";
import { resolvePinned, type Stage } from "./stages.ts";

/** A path of the build context that an instruction reads, with everything below it. */
export interface LocalSource {
  readonly line: number;
  /** Relative to the context, cleaned; "" for the whole context. */
  readonly path: string;
  /** The path has `*`, `?` or a class, and stands for what matches it. */
  readonly glob: boolean;
}

/** A file that ADD downloads, by its SHA-256. */
export interface Download {
  readonly line: number;
  readonly url: string;
  readonly checksum: string;
}

/** What one instruction takes into the build, apart from the Dockerfile's own text. */
export interface Taken {
  readonly locals: readonly LocalSource[];
  readonly references: readonly PinnedReference[];
  readonly downloads: readonly Download[];
  readonly findings: readonly ImageFinding[];
}

type Find = (code: ImageCode, expected: string, got: string) => ImageFinding[];

const nothing: Taken = { locals: [], references: [], downloads: [], findings: [] };
const flagsOf: Readonly<Record<string, readonly string[]>> = {
  COPY: ["from", "chown", "chmod", "link"],
  ADD: ["chown", "chmod", "link", "checksum"],
  RUN: ["mount", "network", "security"],
};

/** @param stages all stages; `current` is the one that the instruction belongs to */
export function readTaken(
  instruction: Instruction,
  stages: readonly Stage[],
  current: number,
  file: string,
): Taken {
  const known = flagsOf[instruction.keyword];
  if (known === undefined) return nothing;
  const find: Find = (code, expected, got) => [
    { code, file, line: instruction.line, expected, got: toShownText(got) },
  ];
  const findings = flagFindings(instruction.flags, known, find);
  if (findings.length > 0) return { ...nothing, findings };
  if (instruction.keyword === "RUN")
    return merge(instruction.flags.map((flag) => readMount(flag, instruction, stages, current, find)));
  return readCopy(instruction, stages, current, find);
}

export function merge(taken: readonly Taken[]): Taken {
  return {
    locals: taken.flatMap(({ locals }) => locals),
    references: taken.flatMap(({ references }) => references),
    downloads: taken.flatMap(({ downloads }) => downloads),
    findings: taken.flatMap(({ findings }) => findings),
  };
}

function flagFindings(
  flags: readonly InstructionFlag[],
  known: readonly string[],
  find: Find,
): ImageFinding[] {
  return flags.flatMap(({ name, value }, index) => {
    if (!known.includes(name))
      return find("image.flag-unknown", known.map((flag) => `--${flag}`).join(", "), `--${name}`);
    if (name !== "mount" && flags.findIndex((other) => other.name === name) !== index)
      return find("image.flag-twice", `one --${name}`, "two");
    if (value !== undefined && /["'\\$]/.test(value))
      return find("image.flag-value", "a plain value", `--${name}=${value}`);
    return [];
  });
}

function readCopy(instruction: Instruction, stages: readonly Stage[], current: number, find: Find): Taken {
  const paths = readPaths(instruction.text);
  if (paths === undefined)
    return { ...nothing, findings: find("image.json-form", "a JSON list of strings", instruction.text) };
  if (paths.length < 2)
    return { ...nothing, findings: find("image.copy-form", "sources and a destination", instruction.text) };
  const from = instruction.flags.find(({ name }) => name === "from");
  if (from !== undefined)
    return readFrom(from.value ?? "", "image.copy-from-not-pinned", stages, current, find);
  return merge(paths.slice(0, -1).map((path) => readSource(path, instruction, find)));
}

/** JSON form, or words. Undefined for what looks like JSON and is none: builders then fall back to words. */
function readPaths(text: string): readonly string[] | undefined {
  if (!text.startsWith("[")) return text.split(/\s+/).filter((word) => word !== "");
  try {
    const value: unknown = JSON.parse(text);
    const strings =
      Array.isArray(value) && value.every((item) => typeof item === "string" && item.isWellFormed());
    return strings ? (value as string[]) : undefined;
  } catch {
    return undefined;
  }
}

function readFrom(
  text: string,
  code: ImageCode,
  stages: readonly Stage[],
  current: number,
  find: Find,
): Taken {
  const name = text.toLowerCase();
  const stage = /^\d+$/.test(text)
    ? stages[Number(text)]
    : stages.findLast((other) => other.name === name && other.index < current);
  if (stage !== undefined && stage.index < current) return nothing;
  if (/^\d+$/.test(text) || stages.some((other) => other.name === name)) {
    return { ...nothing, findings: find("image.stage-forward", "an earlier stage", text) };
  }
  const { base, findings } = resolvePinned(text, code, find);
  return { ...nothing, findings, references: base === undefined ? [] : [base] };
}

function readSource(path: string, { keyword, line, flags }: Instruction, find: Find): Taken {
  if (/["'\\$`\x00-\x1f]/.test(path))
    return { ...nothing, findings: find("image.source-variable", "a plain path", path) };
  if (
    keyword === "ADD" &&
    /^(?:git@|git:\/\/|ssh:\/\/|github\.com\/)|^https?:\/\/[^#]*\.git(?:#|$)/i.test(path)
  ) {
    return {
      ...nothing,
      findings: find("image.git-source", "a local file or a download with --checksum", path),
    };
  }
  if (keyword === "ADD" && /^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    return readDownload(path, line, flags, find);
  return readLocal(path, line, true, find);
}

function readDownload(url: string, line: number, flags: readonly InstructionFlag[], find: Find): Taken {
  const checksum = flags.find(({ name }) => name === "checksum")?.value ?? "";
  if (/^sha256:[0-9a-f]{64}$/.test(checksum)) return { ...nothing, downloads: [{ line, url, checksum }] };
  return {
    ...nothing,
    findings: find("image.download-not-pinned", "--checksum=sha256:<64 hex>", checksum || url),
  };
}

/** A path with `..` above the context is an error to one builder and the context itself to another. */
function readLocal(text: string, line: number, globs: boolean, find: Find): Taken {
  const names: string[] = [];
  for (const name of text.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined)
      return { ...nothing, findings: find("image.source-outside", "a path in the context", text) };
  }
  const path = names.join("/");
  return { ...nothing, locals: [{ line, path, glob: globs && /[*?[]/.test(path) }] };
}

function readMount(
  flag: InstructionFlag,
  { line }: Instruction,
  stages: readonly Stage[],
  current: number,
  find: Find,
): Taken {
  if (flag.name !== "mount") return nothing;
  const fields = new Map<string, string>();
  for (const field of (flag.value ?? "").split(",")) {
    const [, key = "", value = ""] = /^([^=]*)=?(.*)$/.exec(field) ?? [];
    const name = key.toLowerCase() === "src" ? "source" : key.toLowerCase();
    if (fields.has(name))
      return { ...nothing, findings: find("image.flag-twice", `one ${name}`, flag.value ?? "") };
    fields.set(name, value);
  }
  const type = fields.get("type") ?? "bind";
  if (type === "tmpfs" || (type === "cache" && !fields.has("from"))) return nothing;
  if (type !== "bind" && type !== "cache")
    return { ...nothing, findings: find("image.mount-type", "bind, cache or tmpfs", type) };
  const from = fields.get("from");
  if (from !== undefined) return readFrom(from, "image.mount-from-not-pinned", stages, current, find);
  return readLocal(fields.get("source") ?? "", line, false, find);
}
