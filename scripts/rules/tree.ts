import { type Mutation, mutationsOf } from "./mutation.ts";

const verify = "manifest/verify-pack";

export const treeMutations: readonly Mutation[] = [
  ...mutationsOf("tree/mode-rules.ts", "tree/mode-rules", [
    ["tree.mode-setuid", "(mode & 0o4000) !== 0", "false"],
    ["tree.mode-setgid", "(mode & 0o2000) !== 0", "false"],
    ["tree.mode-sticky", "(mode & 0o1000) !== 0", "false"],
    ["tree.mode-writable by the group", "(mode & 0o022) !== 0", "(mode & 0o002) !== 0"],
    ["tree.mode-writable by others", "(mode & 0o022) !== 0", "(mode & 0o020) !== 0"],
    ["tree.mode-unreadable", "breaks: (mode) => !readable(mode)", "breaks: () => false"],
    ["tree.mode-not-searchable", 'type === "d" && readable(mode) && execute(mode) === 0', "false"],
    ["tree.mode-executable", 'type === "f" && readable(mode) && execute(mode) === 0o111', "false"],
    ["tree.mode-not-executable", 'type === "x" && readable(mode) && execute(mode) === 0', "false"],
    [
      "tree.mode-partial-execute",
      'type !== "d" && readable(mode) && execute(mode) !== 0 && execute(mode) !== 0o111',
      "false",
    ],
  ]),
  ...mutationsOf("tree/path-rules.ts", "tree/parse-listing", [
    ["tree.path-too-long", 'if (isTooLong(path)) return "tree.path-too-long";', ""],
    ["tree.path-control-character", 'if (/\\p{Cc}/u.test(path)) return "tree.path-control-character";', ""],
    ["tree.path-backslash", 'if (path.includes("\\\\")) return "tree.path-backslash";', ""],
    ["tree.path-segment", 'if (badSegment.test(path)) return "tree.path-segment";', ""],
    ["tree.path-segment ..", "\\.{0,2}(?:", "\\.{0,1}(?:"],
    ["tree.path-too-deep", 'if (isTooDeep(path)) return "tree.path-too-deep";', ""],
    ["tree.path-reserved", 'if (isReserved(path)) return "tree.path-reserved";', ""],
    ["tree.path-reserved in capitals", "includes(foldPath(path))", "includes(path)"],
  ]),
  ...mutationsOf("tree/fold-path.ts", "tree/fold-path", [
    ["tree.path-collision NFD", 'path.normalize("NFD").toLowerCase()', "path.toLowerCase()"],
    ["tree.path-collision capital ß", ".toLowerCase().toUpperCase()", ".toUpperCase()"],
    ["tree.path-collision full folding", ".toUpperCase().toLowerCase()", ""],
    ["tree.path-collision ASCII", "return path.toLowerCase();", "return path;"],
  ]),
  ...mutationsOf("tree/assert-entries.ts", "tree/parse-listing", [
    [
      "tree.listing-too-large entries in all",
      "if (entries.length > treeLimits.entries) {",
      "if (entries.length === -1) {",
      "bounds/listing",
    ],
    [
      "tree.listing-too-large bytes of files",
      "if (bytes > treeLimits.treeBytes) throw",
      "if (bytes === -1) throw",
    ],
    ["tree.path-* is asked", "    assertPath(entry.path);\n", ""],
    [
      "tree.listing-order and -duplicate are asked",
      "    if (previous !== undefined) assertAfter(previous.path, entry.path);\n",
      "",
    ],
    [
      "tree.listing-duplicate",
      'order === 0 ? "tree.listing-duplicate" : "tree.listing-order"',
      '"tree.listing-order"',
    ],
    ["tree.listing-order", "if (order < 0) return;", "if (order !== 0) return;"],
    ["tree.listing-parent", "    assertParent(entry.path, directories);\n", ""],
    ["tree.listing-parent a file", 'if (entry.type === "d") directories', "directories"],
    ["tree.path-collision", "    assertUnlike(entry.path, folded);\n", ""],
  ]),
  ...mutationsOf("tree/parse-listing.ts", "tree/parse-listing", [
    [
      "tree.listing-too-large bytes",
      "if (bytes.length > treeLimits.listingBytes) throw tooLarge",
      "if (bytes.length < 0) throw tooLarge",
    ],
    [
      "tree.listing-too-large lines",
      "if (lines.length - 2 > treeLimits.entries) throw",
      "if (lines.length < 0) throw",
    ],
    [
      "tree.listing-not-utf8",
      'if (text === undefined) throw wrong("tree.listing-not-utf8", "valid UTF-8", "other bytes");',
      'if (text === undefined) throw wrong("tree.listing-line", "", "");',
    ],
    ["tree.listing-version", "if (lines[0] !== listingHeader) throw", "if (lines[0] === undefined) throw"],
    ["tree.listing-end", 'if (lines.pop() !== "") throw', "if (lines.pop() === undefined) throw"],
    ["tree.listing-line", "if (file === null || !Number.isSafeInteger(size)) {", "if (file === null) {"],
    ["tree.listing-line leading zero", "(0|[1-9][0-9]{0,15})", "([0-9]{1,16})"],
    ["tree.listing-line digest", "([0-9a-f]{64})", "([0-9a-fA-F]{64})"],
  ]),
  ...mutationsOf("tree/path-order.ts", "tree/path-order", [
    [
      "the order of bytes above U+FFFF",
      "return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;",
      "return unit;",
    ],
  ]),
  ...mutationsOf("tree/list-tree.ts", "tree/list-tree", [
    ["tree.path-not-utf8", "  if (!one.utf8) {\n    throw", "  if (one.path === null) {\n    throw"],
    [
      "tree.not-sealable",
      'if (one.kind === "file" || one.kind === "directory") return;',
      "if (one.kind) return;",
    ],
    ["tree.mode-* of a tree to be sealed", "  assertSound(listing, observed);\n", ""],
  ]),
  ...mutationsOf("tree/resolve-root.ts", "tree/list-tree", [
    ["tree.root-not-a-directory", " && stats.isDirectory()) return", ") return"],
  ]),
  ...mutationsOf("tree/walk-tree.ts", "tree/list-tree", [
    ["tree.too-many-entries", "this.tooMany = this.count > (", "this.tooMany = -1 > ("],
    [
      "names are read as bytes",
      "if (text === undefined) this.visitBytes(parent, name);\n    else ",
      "if (text !== undefined) ",
    ],
    [
      "tree.changed-while-read a directory",
      "if (this.isChanged(path, stats)) this.unstable",
      "if (path === null) this.unstable",
      "tree/verify-tree > a directory that changed since",
    ],
  ]),
  ...mutationsOf("tree/hash-worker.ts", "tree/verify-tree", [
    [
      "what is no file is not opened",
      "if (!before.isFile()) return job.states.otherKind;",
      "",
      "tree/verify-tree > does not open",
    ],
    [
      "tree.changed-while-read a file",
      "      if (!isSame(before, fs.fstatSync(file, bigint))) return job.states.changed;\n      digests",
      "      digests",
      "tree/verify-tree > a file that changes while",
    ],
  ]),
  ...mutationsOf("tree/diff-tree.ts", "tree/diff-tree", [
    [
      "tree.missing-file",
      'isDirectory ? "tree.missing-directory" : "tree.missing-file"',
      '"tree.missing-directory"',
    ],
    [
      "tree.missing-directory",
      'isDirectory ? "tree.missing-directory" : "tree.missing-file"',
      '"tree.missing-file"',
    ],
    ["a finding covers what is below", "if (isDirectory) covered.add(entry.path);", ""],
    [
      "an unread directory covers what is below",
      ' || one.trouble?.kind === "unread")) covered',
      ")) covered",
    ],
    [
      "tree.type-*",
      'if (one.kind !== (entry.type === "d" ? "directory" : "file")) {',
      "if (one.kind === null) {",
    ],
    [
      "tree.type-file",
      '  file: "tree.type-file",',
      '  file: "tree.type-link",',
      `${verify} > file for directory`,
    ],
    [
      "tree.type-directory",
      '  directory: "tree.type-directory",',
      '  directory: "tree.type-link",',
      `${verify} > directory for file`,
    ],
    [
      "tree.type-link",
      '  link: "tree.type-link",',
      '  link: "tree.type-special",',
      `${verify} > link for file`,
    ],
    ["tree.type-special", '  device: "tree.type-special",', '  device: "tree.type-link",'],
    [
      "tree.type-special a FIFO",
      '  fifo: "tree.type-special",',
      '  fifo: "tree.type-link",',
      `${verify} > FIFO for file`,
    ],
    [
      "tree.type-special a socket",
      '  socket: "tree.type-special",',
      '  socket: "tree.type-link",',
      `${verify} > socket for file`,
    ],
    ["tree.extra-file", '  file: "tree.extra-file",', '  file: "tree.extra-link",', `${verify} > extra file`],
    [
      "tree.extra-directory",
      '  directory: "tree.extra-directory",',
      '  directory: "tree.extra-link",',
      `${verify} > extra empty directory`,
    ],
    [
      "tree.extra-link",
      '  link: "tree.extra-link",',
      '  link: "tree.extra-special",',
      `${verify} > extra link`,
    ],
    ["tree.extra-special", '  device: "tree.extra-special",', '  device: "tree.extra-link",'],
    [
      "tree.extra-special a FIFO",
      '  fifo: "tree.extra-special",',
      '  fifo: "tree.extra-link",',
      `${verify} > FIFO`,
    ],
    [
      "tree.extra-special a socket",
      '  socket: "tree.extra-special",',
      '  socket: "tree.extra-link",',
      `${verify} > socket`,
    ],
    [
      "tree.extra-not-utf8",
      'one.utf8 ? extraCodes[one.kind] : "tree.extra-not-utf8"',
      "extraCodes[one.kind]",
    ],
    ["extras are reported", "  findings.push(...findExtras(expected, observed));\n", ""],
    [
      "control files are held to kind and mode",
      "if (one !== undefined) findings.push",
      "if (one === null) findings.push",
      `${verify} > sealpack.json 666`,
    ],
    [
      "the root is held to kind and mode",
      'return diffEntry(rootEntry, byPath.get("."), new Map(), covered);',
      "return [];",
    ],
    ["tree.size", "if (one.size !== entry.size) {", "if (one.size === -1) {", `${verify} > truncated`],
    ["tree.content", "if (one.digest === entry.digest) return [];", "if (one.digest !== null) return [];"],
    [
      "tree.hard-link-outside",
      'if (one.kind !== "file" || one.links <= known) return [];',
      "if (one.kind) return [];",
    ],
    ["tree.hard-link-outside by device", "return `${one.device}:${one.inode}`;", "return `${one.inode}`;"],
    ["tree.changed-while-read", 'if (one.trouble.kind === "changed") {', 'if (one.trouble.reason === "") {'],
    [
      "tree.cannot-read-directory",
      'entry.type === "d" ? "tree.cannot-read-directory" : "tree.cannot-read-file"',
      '"tree.cannot-read-file"',
    ],
    [
      "tree.cannot-read-file",
      'entry.type === "d" ? "tree.cannot-read-directory" : "tree.cannot-read-file"',
      '"tree.cannot-read-directory"',
    ],
    ["modes are judged", "    ...modes,\n", ""],
  ]),
  ...mutationsOf("tree/digest-components.ts", "tree/digest-components", [
    [
      "tree.placed-not-listed",
      'if (entry !== undefined && entry.type !== "d" && locations.includes(from)) continue;',
      "if (path) continue;",
    ],
    [
      "a placed file counts where it came from",
      "origins.get(entry.path) ?? owner(entry.path)",
      "owner(entry.path)",
    ],
    [
      "a nested location is left out",
      "known.has(directory) ? directory",
      'known.has(directory) && directory.split("/").length < 3 ? directory',
    ],
  ]),
];
