import { type Mutation, mutationsOf } from "./mutation.ts";

const parse = "manifest/parse-manifest";
const verify = "manifest/verify-pack";

export const manifestMutations: readonly Mutation[] = [
  ...mutationsOf("manifest/parse-document.ts", parse, [
    ["manifest.too-large", "if (bytes.length > maxManifestBytes) {", "if (bytes.length < 0) {"],
    ["manifest.byte-order-mark", "if (bytes[0] === 0xef &&", "if (bytes[0] === 0x100 &&"],
    [
      "manifest.not-utf8",
      'if (text === undefined) throw wrong("manifest.not-utf8"',
      'if (text === undefined) throw wrong("manifest.type"',
      `${verify} > no UTF-8`,
    ],
    [
      "manifest.not-json",
      'throw wrong("manifest.not-json", "manifest", "one JSON document", "something else");',
      "return {};",
    ],
    ["manifest.schema-unknown", "if (found !== schema) throw", 'if (found === "none") throw'],
    [
      "manifest.not-canonical",
      "if (Buffer.compare(bytes, printed) === 0) return;",
      "if (bytes !== printed) return;",
    ],
  ]),
  ...mutationsOf("manifest/shape.ts", parse, [
    ["manifest.unknown-key", "if (!Object.hasOwn(keys, key)) throw", "if (key === null) throw"],
    ["manifest.unknown-key __proto__", "!Object.hasOwn(keys, key)", "!(key in keys)"],
    ["manifest.missing-key", "else if (!optional.includes(key)) throw", "else if (key === null) throw"],
    ["manifest.unsorted-list", "if (index >= 0)\n", "if (index < -1)\n"],
    [
      "manifest.unsorted-list twice",
      "(items[position - 1] as string) >= item",
      "(items[position - 1] as string) > item",
    ],
    ["manifest.type control characters", "&& !/\\p{Cc}/u.test(value) ", ""],
    ["manifest.type text", 'if (typeof value === "string" && !/\\p{Cc}/u', "if (!/\\p{Cc}/u"],
    ["manifest.type an empty text", 'if (value === "") throw', "if (value === null) throw"],
    [
      "manifest.type one of",
      "if (choices.includes(value as string)) return;",
      "if (choices.length > 0) return;",
    ],
    ["manifest.type true or false", 'if (typeof value !== "boolean") throw', "if (value === null) throw"],
    [
      "manifest.number",
      "if (Number.isSafeInteger(value) && (value as number) >= 0) return;",
      "if (value !== null) return;",
    ],
    ["manifest.number safe", "Number.isSafeInteger(value)", "Number.isInteger(value)"],
    ["manifest.number negative", " && (value as number) >= 0) return", ") return"],
    [
      "manifest.hex",
      'if (typeof value === "string" && /^[0-9a-f]{64}$/.test(value)) return;',
      "if (value !== null) return;",
    ],
    [
      "manifest.name form",
      'if (typeof value === "string" && /^[@a-z0-9]',
      'if (typeof value === "string" && /^[@a-zA-Z0-9]',
    ],
    ["manifest.name integer", " && !/^[0-9]+$/.test(value))", ")"],
    [
      "manifest.path in the pack",
      "value.isWellFormed() && pathProblem(value) === undefined) return;",
      "value.isWellFormed()) return;",
    ],
    ["manifest.path of the host", " && pathProblem(value.slice(1)) === undefined) return", ") return"],
    ["manifest.path of the host absolute", 'value.startsWith("/") && ', ""],
    [
      "manifest.type an object",
      'if (typeof value === "object" && value !== null && !Array.isArray(value))',
      'if (typeof value === "object" && value !== null)',
    ],
  ]),
  ...mutationsOf("manifest/payload-shape.ts", parse, [
    [
      "manifest.name of commands",
      "commands: is.mapOf(is.name, command)",
      "commands: is.mapOf(is.text, command)",
    ],
    ["manifest.path of components", "is.both(is.name, is.packPath)", "is.name"],
    ["manifest.unknown-key in a command", '}, ["entry"]);', '}, ["entry", "launcher"]);'],
  ]),
  ...mutationsOf("manifest/assert-invariants.ts", parse, [
    ["manifest.source-revision", "if (form.test(sourceRevision)) return;", "if (form) return;"],
    ["manifest.source-revision of a release", "release ? /^[0-9a-f]{40}$/ : ", ""],
    ["manifest.bridge-digest", "if (digest === bridgeDigest) return;", "if (digest) return;"],
  ]),
  ...mutationsOf("manifest/parse-manifest.ts", parse, [
    ["manifest.digest", "if (manifest.digest !== digest) throw", "if (manifest.digest === null) throw"],
    ["manifest.type is asked", '  manifestShape(value, "manifest");\n', ""],
    ["manifest.not-canonical is asked", "  assertCanonical(bytes, printManifest(manifest));\n", ""],
    ["manifest.source-revision is asked", "  assertRevision(manifest.payload);\n", ""],
    ["manifest.bridge-digest is asked", "  assertBridgeDigest(manifest.payload);\n", ""],
  ]),
  ...mutationsOf("manifest/expected.ts", parse, [
    ["manifest.bridge-digest of an expected one", "  assertBridgeDigest(document.payload);\n", ""],
    ["manifest.unknown-key of an expected one", '  expectedShape(value, "expected");\n', ""],
  ]),
  ...mutationsOf("manifest/print-json.ts", "manifest/print-json", [
    ["RFC 8785 order", "(a < b ? -1 : 1)", "(a < b ? 1 : -1)"],
    [
      "manifest.not-printable surrogates",
      'if (typeof value === "string" && value.isWellFormed())',
      'if (typeof value === "string")',
    ],
    [
      "manifest.not-printable numbers",
      'if (typeof value === "number" && Number.isFinite(value))',
      'if (typeof value === "number")',
    ],
  ]),
  ...mutationsOf("manifest/read-control-file.ts", verify, [
    ["manifest.not-a-file", "if (!before.isFile()) {", "if (before.size < 0) {", `${verify} > for sealpack`],
    [
      "manifest.missing",
      'name === "sealpack.json" ? "manifest.missing" : "manifest.listing-missing"',
      '"manifest.listing-missing"',
      `${verify} > no sealpack.json`,
    ],
    [
      "manifest.listing-missing",
      'name === "sealpack.json" ? "manifest.missing" : "manifest.listing-missing"',
      '"manifest.missing"',
      `${verify} > no sealpack.tree`,
    ],
    ["manifest.cannot-read", ': "manifest.cannot-read";', ": missing;", `${verify} > that cannot be read`],
  ]),
  ...mutationsOf("manifest/diff-listing.ts", verify, [
    [
      "manifest.tree-counts entries",
      "tree.entries === listing.entries.length && ",
      "",
      `${verify} > entries`,
    ],
    [
      "manifest.tree-counts bytes",
      " && tree.bytes === listing.bytes) return",
      ") return",
      `${verify} > bytes`,
    ],
    [
      "manifest.file-not-listed",
      'if (entry === undefined || entry.type === "d" || (claim.executable && entry.type !== "x")) {',
      "if (entry === undefined) return [];\n  if (entry.type === null) {",
      `${verify} > the lock's path`,
    ],
    [
      "manifest.file-not-listed as an executable",
      ' || (claim.executable && entry.type !== "x")) {',
      ") {",
      `${verify} > an executable`,
    ],
    [
      "manifest.file-digest",
      "if (entry.digest === claim.sha256) return [];",
      "if (entry.digest) return [];",
      `${verify} > a pack that was sealed anew`,
    ],
    [
      "manifest.file-digest of the interpreter",
      "if (isInterpreter(interpreter)) claims",
      "if (isInterpreter(interpreter) && claims.length === 0) claims",
      `${verify} > the interpreter`,
    ],
    [
      "manifest.file-digest of an entry",
      "if (command.entry !== undefined) claims",
      "if (command.entry === null) claims",
      `${verify} > an entry`,
    ],
    [
      "manifest.file-digest of a compiled bridge",
      "if (!isPackage(payload, bridge.path)) claims",
      'if (bridge.path === "") claims',
      `${verify} > a compiled bridge`,
    ],
    [
      "manifest.bridge-component",
      "if (component === undefined || component.digest === bridge.sha256) return [];",
      "if (bridge) return [];",
      `${verify} > a package bridge`,
    ],
    [
      "manifest.candidate-not-listed",
      "    ...diffCandidates(payload, entries),\n",
      "",
      `${verify} > a candidate`,
    ],
  ]),
  ...mutationsOf("manifest/verify-pack.ts", verify, [
    [
      "manifest.not-the-trusted",
      "if (trusted !== undefined && Buffer.compare(bytes, printManifest(trusted)) !== 0) {",
      "if (trusted === null) {",
      `${verify} > a trusted manifest`,
    ],
    [
      "manifest.tree-digest",
      "if (got === digest) return parseListing(bytes);",
      "if (got) return parseListing(bytes);",
      `${verify} > listing`,
    ],
    [
      "the manifest is held to the listing",
      "...diffListing(pack.manifest.payload, pack.listing), ",
      "",
      `${verify} > a pack that was sealed anew`,
    ],
    ["the tree is held to the listing", ", ...(await found)]", "]", `${verify} > one byte`],
    ["could not check is exit 3", "return exits.includes(3) ? 3 : 2;", "return 1;", `${verify} > exitOf`],
    ["wrong outweighs could not check", "if (exits.includes(1)) return 1;", "", `${verify} > exitOf`],
  ]),
];
