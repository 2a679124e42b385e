import { type Mutation, mutationsOf } from "./mutation.ts";

const policy = "lock/lock-policy";
const parse = "lock/parse-lock";
const plan = "lock/plan-target";

export const lockMutations: readonly Mutation[] = [
  ...mutationsOf("lock/verify-lock-digest.ts", parse, [
    ["lock.digest-mismatch", "if (got === expected) return;", "if (got) return;"],
  ]),
  ...mutationsOf("lock/load-lock.ts", policy, [
    [
      "lock.digest-mismatch is asked first",
      "  verifyLockDigest(bytes, sha256, file);\n",
      "",
      `${plan} > stops at another digest`,
    ],
    [
      "lock.root-mismatch is asked",
      ", ...toRootDrift(manifest, lock.root)]",
      "]",
      `${policy} > package.json`,
    ],
    [
      "definition rules are asked",
      "    ...definitionRules.flatMap((rule) => rule(graph, definition)),\n",
      "",
    ],
    ["lock.edge-* are asked", "    ...toEdgeProblems(graph),\n", ""],
    ["lock.alias-mismatch is asked", "    ...toAliasProblems(graph),\n", ""],
    ["lock.unreachable is asked", "    ...toUnreachableProblems(graph),\n", ""],
  ]),
  ...mutationsOf("lock/json-shape.ts", parse, [
    ["lock.too-large bytes", "if (bytes.length > maximumBytes) {", "if (bytes.length < 0) {"],
    ["lock.not-json UTF-8", "fatal: true,", "fatal: false,"],
    ["lock.not-json a byte order mark", "ignoreBOM: true", "ignoreBOM: false"],
    [
      "lock.malformed an object",
      "&& value !== null && !Array.isArray(value)) return value as JsonObject;",
      "&& value !== null) return value as JsonObject;",
    ],
    [
      "lock.malformed a text",
      'if (typeof value === "string") return value;',
      "if (value !== null) return value as string;",
    ],
    [
      "lock.malformed a flag",
      'if (value === undefined || typeof value === "boolean") return value === true;',
      "return value === true;",
    ],
  ]),
  ...mutationsOf("lock/parse-lock.ts", parse, [
    ["lock.crlf", "if (bytes.includes(0x0d)) {", "if (bytes.length < 0) {"],
    ["lock.version-*", "if (version === 3) return;", "if (version !== null) return;"],
    ["lock.version-1", "version === 1 || (version", "(version"],
    [
      "lock.version-1 without a number",
      " || (version === undefined && lock.dependencies !== undefined)\n",
      "\n",
    ],
    [
      "lock.version-2",
      ': version === 2\n        ? "lock.version-2"\n        : "lock.version-unknown"',
      ': "lock.version-unknown"',
    ],
    ["lock.version-unknown", ': "lock.version-unknown";', ': "lock.version-2";'],
    ["lock.too-large entries", "if (locations.length > maximumEntries) {", "if (locations.length < 0) {"],
    ["lock.malformed a version", "if (valid(version) !== version) throw", "if (version === null) throw"],
  ]),
  ...mutationsOf("lock/parse-root-manifest.ts", parse, [
    ["lock.unsupported-feature of package.json", "if (key !== undefined) {", "if (key === null) {"],
    ...[
      "workspaces",
      "packageExtensions",
      "patchedDependencies",
      "bundleDependencies",
      "bundledDependencies",
    ].map((key) => [`lock.unsupported-feature ${key}`, `  "${key}",\n`, ""] as const),
    [
      "an optional dependency is optional",
      ".filter(([name]) => !Object.hasOwn(optionalDependencies, name))",
      "",
    ],
  ]),
  ...mutationsOf("lock/entry-policy.ts", policy, [
    ["lock.link", "= [\n  linkRule,\n  locationRule,", "= [\n  locationRule,"],
    ["lock.location", "= [\n  linkRule,\n  locationRule,", "= [\n  linkRule,"],
    [
      "lock.*-source",
      "  locationRule,\n  sourceRule,\n  integrityRule,",
      "  locationRule,\n  integrityRule,",
    ],
    ["lock.integrity-*", "  sourceRule,\n  integrityRule,", "  sourceRule,"],
    [
      "lock.bundle-orphan",
      "  bundleRule,\n  shrinkwrapRule,\n  featureRule,\n];",
      "  shrinkwrapRule,\n  featureRule,\n];",
    ],
    [
      "lock.nested-shrinkwrap",
      "  bundleRule,\n  shrinkwrapRule,\n  featureRule,\n];",
      "  bundleRule,\n  featureRule,\n];",
    ],
    [
      "lock.unsupported-feature of an entry",
      "  bundleRule,\n  shrinkwrapRule,\n  featureRule,\n];",
      "  bundleRule,\n  shrinkwrapRule,\n];",
    ],
    ["lock.foreign-origin npm's default is allowed", "new URL(defaultRegistry).origin, ", ""],
  ]),
  ...mutationsOf("lock/source-rules.ts", policy, [
    ["lock.location form", "if (!locationPattern.test(location))\n", "if (location === null)\n"],
    [
      "lock.location in another entry",
      "if (parent === undefined || byLocation.has(parent)) return [];",
      "if (location) return [];",
    ],
    ["lock.git-source", "  if (/^git[+:@]", "  if (/^never[+:@]"],
    ["lock.git-source by shorthand", "|^(?:github|gitlab|bitbucket|gist):|^ssh:", ""],
    ["lock.file-source", "/^(?:file|link|workspace):|^\\.{0,2}\\//i", "/^(?:link|workspace):|^\\.{0,2}\\//i"],
    ["lock.file-source link:", "/^(?:file|link|workspace):", "/^(?:file|workspace):"],
    ["lock.file-source a path", "workspace):|^\\.{0,2}\\//i", "workspace):/i"],
    ["lock.insecure-source", 'if (/^http:/i.test(resolved)) return "lock.insecure-source";', ""],
    ["lock.unknown-source protocol", 'url?.protocol !== "https:" || url.username', "url?.username"],
    ["lock.unknown-source a user", ' || url.username !== "" || url.password !== "") return', ") return"],
    ["lock.foreign-origin", 'origins.has(url.origin) ? undefined : "lock.foreign-origin"', "undefined"],
    [
      "lock.foreign-origin another port",
      "origins.has(url.origin)",
      "[...origins].some((one) => new URL(one).hostname === url.hostname)",
    ],
    ["no password is shown", 'resolved.replace(/\\/\\/[^/@]*@/, "//…@")', "resolved"],
  ]),
  ...mutationsOf("lock/integrity-rules.ts", policy, [
    ["lock.integrity-missing", 'if (digests.length === 0) return "lock.integrity-missing";', ""],
    [
      "lock.integrity-weak",
      'if (!digests.some((digest) => digest.startsWith("sha512-"))) return "lock.integrity-weak";',
      "",
    ],
    ["lock.integrity-ambiguous", 'if (digests.length > 1) return "lock.integrity-ambiguous";', ""],
    ["lock.integrity-malformed length", "const sound = bytes.length === 64 && ", "const sound = "],
    ["lock.integrity-malformed base64", ' && bytes.toString("base64") === base64;', ";"],
    [
      "lock.bundle-orphan at the top",
      "toBundler(entry, byLocation) !== undefined) return [];",
      "entry.location) return [];",
    ],
    ["lock.bundle-orphan parent bundles", "return isBundling(parent) ? at : undefined;", "return at;"],
  ]),
  ...mutationsOf("lock/drift-rules.ts", policy, [
    ["lock.root-mismatch", "if (declared === locked) return [];", "if (subject) return [];"],
    [
      "lock.root-mismatch optional ones",
      ', "optionalDependencies", "peerDependencies"] as const',
      ', "peerDependencies"] as const',
    ],
    ["lock.root-mismatch name", '(["name", "version"] as const)', '(["version"] as const)'],
    ["lock.edge-missing", 'if (edge.state === "missing") {', 'if (edge.name === "") {'],
    ["lock.edge-unsatisfied", 'if (edge.from !== "" && (edge', "if (edge.from || (edge"],
    [
      "lock.alias-mismatch",
      "if (entry === undefined || entry.name === wanted.name) return [];",
      "if (wanted) return [];",
    ],
    [
      "lock.unreachable",
      "!entry.inBundle && !reached.has(entry.location)",
      "!entry.inBundle && reached.size < 0",
    ],
  ]),
  ...mutationsOf("lock/definition-rules.ts", policy, [
    ["lock.script-unacknowledged", "  return [...unknown, ...unused];", "  return unused;"],
    [
      "lock.script-unacknowledged by the real name",
      ".filter((entry) => !acknowledged.has(entry.name))",
      '.filter((entry) => !acknowledged.has(entry.location.replace("node_modules/", "")))',
    ],
    ["lock.acknowledgement-unused", "  return [...unknown, ...unused];", "  return unknown;"],
    ["lock.hole", "  return [...unlisted, ...stale];", "  return stale;"],
    [
      "lock.hole of that version",
      "=== name && satisfies(row.package.slice(at + 1), range)",
      "=== name && range !== null",
    ],
    ["lock.absent-stale", "  return [...unlisted, ...stale];", "  return unlisted;"],
    [
      "lock.bridge-missing",
      "if (entry === undefined || entry.name !== bridge.package) {",
      "if (entry === undefined) return [];\n    if (entry.name === null) {",
    ],
    ["lock.bridge-missing an alias", " || entry.name !== bridge.package) {", ") {"],
    [
      "lock.bridge-version",
      "if (entry.version === bridge.version) return [];",
      "if (entry.version) return [];",
    ],
    [
      "lock.driven-missing",
      "if (copy === undefined || copy.entry.name !== name) {",
      "if (copy === undefined) return [];\n  if (copy.entry.name === null) {",
    ],
    ["lock.driven-missing an alias", " || copy.entry.name !== name) {", ") {"],
    [
      "lock.second-copy",
      "  return [...driven].flatMap((name) => toCopyProblems(graph, name));",
      "  return [...driven].flatMap(() => []);",
    ],
    [
      "lock.second-copy behind an alias",
      "entry.name === name && entry.location !== location",
      "entry.folder === name && entry.location !== location",
    ],
    [
      "lock.second-copy its own optional ones",
      'whole(edge.from) && edge.type === "optional"',
      "whole(edge.from)",
    ],
    ["lock.second-copy everybody who asks", "toAskers(other).every(", "toAskers(other).some("],
    [
      "lock.second-copy reported once",
      "    .filter((entry) => !isPartOf(entry.location, (asker) => locations.has(asker)))\n",
      "",
    ],
  ]),
  ...mutationsOf("lock/plan-target.ts", plan, [
    [
      "lock.undeclared-target",
      "if (definition.targets.includes(target.id)) return;",
      "if (target.id) return;",
    ],
    ["lock.absent-for-target", "if (missing.length === 0) return;", "if (missing) return;"],
    ["lock.platform-required", "if (last === undefined) return;", "if (graph) return;"],
    ["lock.file-unowned", "    ...toUnownedProblems(definition, target.id, locations),\n", ""],
    ["lock.command-claimed-twice", "    ...toClaimProblems(definition, target.id, entries),\n", ""],
    [
      "what does not fit is left out",
      'edge.type !== "dev" && placeable.has(edge.to ?? "")',
      'edge.type !== "dev"',
    ],
    ["development dependencies are left out", 'edge.type !== "dev" && placeable', "placeable"],
  ]),
  ...mutationsOf("lock/command-owners.ts", plan, [
    [
      "lock.file-unowned follows a placement",
      "return row === undefined ? path : toTargetPath(row.from, target);",
      "return path;",
    ],
    ["lock.command-claimed-twice unless the file says", "|| owner !== undefined) return [];", ") return [];"],
  ]),
  ...mutationsOf("lock/fits-target.ts", "lock/fits-target", [
    ["a negated word excludes", "if (list.includes(`!${value}`)) return false;", ""],
    ["a wanted word is needed", "return wanted.length === 0 || wanted.includes(value);", "return true;"],
    [
      "libc counts",
      "(entry.libc.length === 0 || (libc !== undefined && isListed(libc, entry.libc)))",
      "true",
    ],
  ]),
  ...mutationsOf("lock/load-graph.ts", policy, [
    [
      "lock.override-conflict",
      'override ? "lock.override-conflict" : "lock.unloadable"',
      '"lock.unloadable"',
      `${policy} > contradict`,
    ],
  ]),
];
