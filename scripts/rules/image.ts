import { type Mutation, mutationsOf } from "./mutation.ts";

const plan = "image/build-plan";
const check = "image/check";
const id = "image/content-id";
const ignore = "image/dockerignore";
const built = "image/built-image";
const vendor = "image/vendor";

export const imageMutations: readonly Mutation[] = [
  ...mutationsOf("image/dockerfile-text.ts", plan, [
    ["image.directive-twice", "if (!first) {", "if (false) {"],
    ["image.directive-late", "if (!known.includes(key)) continue;", "if (key !== '') continue;"],
    ["image.dockerfile-bom", 'if (line.startsWith("\\uFEFF")) {', 'if (line === "\\uFEFF") {'],
    ["image.dockerfile-not-utf8", "{ fatal: true,", "{ fatal: false,"],
  ]),
  ...mutationsOf("image/logical-lines.ts", plan, [
    [
      "comments between continued lines",
      "if (/^\\s*(#|$)/.test(raw)) continue;",
      "if (/^$/.test(raw)) continue;",
    ],
  ]),
  ...mutationsOf("image/stages.ts", plan, [
    ["image.base-not-pinned", "if (isPinned(reference)) return", "if (reference !== undefined) return"],
    ["image.platform-differs", "if (flag.value === platform) return [];", "return [];"],
    ["stage names without case", "name === expanded.value.toLowerCase()", "name === expanded.value"],
  ]),
  ...mutationsOf("image/sources.ts", plan, [
    [
      "image.stage-forward",
      "if (stage !== undefined && stage.index < current) return nothing;",
      "if (stage !== undefined) return nothing;",
    ],
    ["image.mount-type", 'if (type !== "bind" && type !== "cache")', 'if (type === "never")'],
    ["image.flag-unknown", "if (!known.includes(name))", 'if (name === "never")'],
    [
      "image.download-not-pinned",
      "if (/^sha256:[0-9a-f]{64}$/.test(checksum))",
      "if (checksum !== undefined)",
    ],
  ]),
  ...mutationsOf("image/arguments.ts", plan, [
    [
      "image.argument-undeclared",
      "if (names.has(name) && !implicit) return [];",
      "if (names.has(name)) return [];",
    ],
  ]),
  ...mutationsOf("image/dockerignore.ts", ignore, [
    ["a classic client does not enter", "buildkit && !parent.closed.classic", "buildkit"],
    ["20.10 tries one parent", "pattern.depth <= parents.length &&", "pattern.depth < 0 &&"],
  ]),
  ...mutationsOf("image/match-tokens.ts", ignore, [
    [
      "a star stays in its folder",
      'if (token.kind === "star" && char !== "/")',
      'if (token.kind === "star")',
    ],
  ]),
  ...mutationsOf("image/audit.ts", check, [
    ["image.input-stale", ".filter((entry) => !isUsed(entry))", ".filter(() => false)"],
  ]),
  ...mutationsOf("image/context-walk.ts", check, [
    [
      "image.dockerignore-differs",
      "if (buildkit === classic && classic === old) return false;",
      "return false;",
    ],
    ["image.special-file", 'if (kind === "special") {', "if (kind !== kind) {"],
  ]),
  ...mutationsOf("image/context-directory.ts", id, [
    ["the owner's execute bit", "(stats.mode & 0o100) === 0", "stats.mode === 0"],
  ]),
  ...mutationsOf("image/content-id.ts", id, [
    ["fields are apart", "record.map((field) => JSON.stringify(field))", "record.map((field) => field)"],
  ]),
  ...mutationsOf("image/argument-records.ts", id, [
    ["provenance is left out", "if (provenance.includes(name)) return [];", ""],
  ]),
  ...mutationsOf("image/hash-input.ts", check, [["image.input-changed a link", 'code === "ELOOP" || ', ""]]),
  ...mutationsOf("image/lock-argument.ts", built, [
    ["image.lock-argument", "if (!/^[0-9a-f]{64}$/.test(value)) throw", 'if (value === "never") throw'],
  ]),
  ...mutationsOf("image/expected-payload.ts", built, [
    ["image.manifest-no-release", "if (manifest.payload.release) return;", "return;"],
    ["image.manifest-differs", "if (found.equals(printExpected(expected))) return;", "return;"],
  ]),
  ...mutationsOf("image/vendor/sweep-vendor.ts", vendor, [
    ["vendor.not-ours", "if (others.length === 0 || names.includes(vendorNames.mark)) return;", "return;"],
  ]),
  ...mutationsOf("image/vendor/fetch-archive.ts", vendor, [
    [
      "vendor.archive-digest",
      "if (sha256 === archive.sha256) return undefined;",
      "if (sha256 !== undefined) return undefined;",
    ],
  ]),
];
