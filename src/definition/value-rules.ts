import valid from "semver/functions/valid.js";
import { isOmitPattern } from "./omit-pattern.ts";
import { isPackPath } from "./pack-path.ts";
import { type Problem, toShown } from "./problem.ts";

/** One rule on one value: no problem, or what was expected. Each is pure and has its row in the tests. */
export type ValueRule = (value: string, path: Problem["path"]) => Problem[];

export const pathRule: ValueRule = (value, path) => {
  if (/[{}]/.test(value)) return [toProblem("definition.placeholder", path, "no placeholder here", value)];
  return plainPath(value, path);
};

/** Where compiled bridges stand: no package and no launcher is there, so a path of theirs meets nothing else (design 1). */
export const distPathRule: ValueRule = (value, path) => {
  if (value.startsWith("dist/") && /\.c?js$/.test(value)) return pathRule(value, path);
  return [toProblem("definition.wrong-path", path, "a .cjs file below dist/", value)];
};

/** A path outside the pack, in the sandbox. */
export const absolutePathRule: ValueRule = (value, path) => {
  if (value.startsWith("/")) return pathRule(value.slice(1), path);
  return [toProblem("definition.wrong-path", path, "an absolute path", value)];
};

/** A path in which `{target}` stands for the target's id. */
export const targetPathRule: ValueRule = (value, path) =>
  pathRule(value.replaceAll("{target}", "target"), path);

export const omitRule: ValueRule = (value, path) => {
  const words = value.replaceAll("{target}", "target");
  const unknown = /\{[^{},]*\}/.exec(words);
  if (unknown !== null) return [toProblem("definition.placeholder", path, "only {target}", unknown[0])];
  if (!isOmitPattern(words)) {
    return [toProblem("definition.wrong-pattern", path, "names with *, ** as a whole part, {a,b}", value)];
  }
  return plainPath(words, path);
};

export const digestRule: ValueRule = (value, path) => {
  if (!/^[0-9a-f]{64}$/.test(value)) {
    return [toProblem("definition.wrong-digest", path, "64 lowercase hex digits", value)];
  }
  // No digest repeats itself; 0000…, abab… and 0123456789abcdef… four times are what people type meanwhile.
  if (/^(.{1,16})\1+$/.test(value)) {
    return [toProblem("definition.placeholder-digest", path, "the digest of a file", value)];
  }
  return [];
};

export const versionRule: ValueRule = (value, path) =>
  valid(value) === value ? [] : [toProblem("definition.wrong-version", path, "one exact version", value)];

/** Names of packs, commands and bridges: a manifest key (design 3) that is also one safe file name. */
export const nameRule: ValueRule = (value, path) => {
  const safe = /^[a-z0-9][A-Za-z0-9._+-]{0,127}$/.test(value) && !/^\d+$/.test(value);
  if (safe) return [];
  return [
    { ...toProblem("definition.wrong-name", path, "a name such as codex-acp", value), atKey: isKey(path) },
  ];
};

export const packageNameRule: ValueRule = (value, path) => {
  const safe = /^(?:@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*$/i.test(value) && value.length <= 214;
  return safe ? [] : [toProblem("definition.wrong-name", path, "a package name", value)];
};

export const originRule: ValueRule = (value, path) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === "https:" && url.origin === value) return [];
  return [toProblem("definition.wrong-origin", path, "https://host or https://host:port", value)];
};

export const environmentNameRule: ValueRule = (value, path) => {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(value)) return [];
  return [{ ...toProblem("definition.wrong-name", path, "an environment name", value), atKey: true }];
};

export const environmentValueRule: ValueRule = (value, path) => {
  if (/[\u0000-\u001f\u007f]/.test(value)) {
    return [toProblem("definition.wrong-value", path, "no control characters", value)];
  }
  const unknown = /\{[A-Za-z_][A-Za-z0-9_]*\}/.exec(value.replaceAll("{pack}", ""));
  return unknown === null ? [] : [toProblem("definition.placeholder", path, "only {pack}", unknown[0])];
};

/** What `versionArgs` prints: compared with one line of output, so it cannot hold a line break. */
export const lineRule: ValueRule = (value, path) =>
  /[\u0000-\u001f\u007f]/.test(value)
    ? [toProblem("definition.wrong-value", path, "one line without control characters", value)]
    : [];

export const absentPackageRule: ValueRule = (value, path) => {
  const at = value.lastIndexOf("@");
  const [name, version] = [value.slice(0, at), value.slice(at + 1)];
  if (at < 1) return [toProblem("definition.wrong-value", path, "name@version", value)];
  return [...packageNameRule(name, path), ...versionRule(version, path)];
};

const platforms = "aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32";
const architectures = "arm|arm64|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64";
const anyTarget = new RegExp(`^(?:(?:${platforms})-(?:${architectures})|linux-(?:${architectures})-musl)$`);

/** An absent package may have served a system for which no pack is built; a misspelled one hides a hole. */
export const anyTargetRule: ValueRule = (value, path) =>
  anyTarget.test(value) ? [] : [toProblem("definition.wrong-value", path, "platform-architecture", value)];

function plainPath(value: string, path: Problem["path"]): Problem[] {
  if (isPackPath(value)) return [];
  return [toProblem("definition.wrong-path", path, "a normal relative path", value)];
}

function toProblem(code: Problem["code"], path: Problem["path"], expected: string, value: string): Problem {
  return { code, path, expected, got: toShown(value) };
}

function isKey(path: Problem["path"]): boolean {
  return ["commands", "bridges", "compiled", "prerequisites"].includes(String(path[0]));
}
