import { type Mutation, mutationsOf } from "./mutation.ts";

const build = "pack/build-pack";
const replace = "pack/output/swap-output";
const safe = "pack/output/assert-safe-output";
const scan = "pack/secrets/scan-text";
const needs = "pack/host-needs/read-host-needs";

const tokenPrefixes = [
  "npm_[A",
  "gh[pousr]_[A",
  "github_pat_[A",
  "gl(?:pat",
  "sk-ant-[a",
  "sk-(?:proj",
  "sk-[A-Za-z0-9]{20}T3",
  "sk-(?:[a-z]{2,8}",
  "(?<![+/])A(?:KIA",
  "xox[abeoprs]-[0",
  "AIza[A",
  "hf_[A",
  "xai-[A",
  "[rs]k_live_[A",
  "e2b_[0",
  "dtn_[0",
  "eyJ(?:hbGci",
];

export const packMutations: readonly Mutation[] = [
  ...mutationsOf("pack/assemble/check-packages.ts", build, [
    [
      "pack.location-unexpected",
      "if (unexpected !== undefined) {",
      "if (unexpected === null) {",
      `${build} > that the lock does not have`,
    ],
    [
      "pack.location-missing",
      "if (missing === undefined) return;",
      "if (present) return;",
      `${build} > bundled package that its parent`,
    ],
    [
      "pack.identity name",
      "if (name === planned.name && normalize",
      "if (normalize",
      `${build} > another name inside`,
    ],
    [
      "pack.identity version",
      " && normalizeVersion(version) === planned.version) return",
      ") return",
      `${build} > another version inside`,
    ],
    [
      "install scripts are checked",
      "    await checkInstallScripts({ root, planned, packageJson, acknowledged });\n",
      "",
      `${build} > an install script with another command`,
    ],
  ]),
  ...mutationsOf("pack/assemble/read-locations.ts", build, [
    [
      "pack.location-unexpected in a scope",
      "    return (await readDirectories(root, `${folder}/${name}`)).map((inner) => `${folder}/${name}/${inner}`);",
      "    return [];",
      `${build} > an empty folder where Node`,
    ],
    [
      "pack.location-unexpected below a package",
      "      pending.push(`${location}/node_modules`);\n",
      "",
      `${build} > inside a package that the lock does not have`,
    ],
  ]),
  ...mutationsOf("pack/assemble/read-package-json.ts", build, [
    [
      "pack.package-json-invalid",
      "  } catch (cause) {\n",
      "  } catch (cause) {\n    if (cause) throw cause;\n",
      `${build} > no JSON`,
    ],
  ]),
  ...mutationsOf("pack/assemble/check-install-scripts.ts", build, [
    [
      "pack.install-script-unacknowledged",
      "if (known.length === 0) {",
      "if (known.length < 0) {",
      `${build} > that the lock does not tell of`,
    ],
    [
      "pack.install-script-unacknowledged is asked",
      "if (match === undefined) throw unacknowledged(check.planned, command, known);",
      "if (match === undefined) continue;",
      `${build} > that the lock does not tell of`,
    ],
    [
      "pack.install-script-unacknowledged a build of its own",
      "hasBinding && packageJson",
      "false && packageJson",
      `${build} > a build that npm would start`,
    ],
    [
      "pack.install-script-changed the command",
      "known.find((one) => one.run === command)",
      "known[0]",
      `${build} > an install script with another command`,
    ],
    [
      "pack.install-script-changed the file",
      "if (match.file !== undefined) await",
      "if (match.file === null) await",
      `${build} > whose file has changed`,
    ],
    [
      "pack.install-script-changed preinstall",
      '["preinstall", "install", "postinstall"] as const',
      '["install", "postinstall"] as const',
      `${build} > a preinstall script`,
    ],
    [
      "pack.install-script-changed postinstall",
      '["preinstall", "install", "postinstall"] as const',
      '["preinstall", "install"] as const',
      `${build} > an install script with another command`,
    ],
  ]),
  ...mutationsOf("pack/assemble/place-packages.ts", build, [
    [
      "pack.location-occupied",
      'if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOTDIR") throw cause;',
      "if (code) throw cause;",
      `${build} > writes where another package belongs`,
    ],
  ]),
  ...mutationsOf("pack/assemble/apply-places.ts", build, [
    [
      "pack.place-missing",
      'if (owner === "" || !(await isFile(join(request.root, from)))) {',
      "if (owner === null) {",
      `${build} > a file to place that is not there`,
    ],
    [
      "pack.place-occupied",
      "  if (replaces === undefined) {\n",
      "  if (replaces === undefined) return;\n  if (replaces === null) {\n",
      `${build} > a place where a file stands`,
    ],
    [
      "pack.place-replaces-other",
      "  if (found === replaces) return;\n",
      "  if (found === replaces || replaces !== undefined) return;\n",
      `${build} > a stub that is not the one`,
    ],
  ]),
  ...mutationsOf("pack/assemble/apply-patches.ts", build, [
    [
      "pack.patch-digest",
      "if (sha256 === patch.sha256) return",
      "if (sha256) return",
      `${build} > a patch with other bytes`,
    ],
    [
      "pack.patch-failed",
      'if (after === false) throw failed(subject, "hunks that apply exactly", undefined);',
      "if (after === false) return;",
      `${build} > a patch that does not apply`,
    ],
    [
      "pack.patch-failed outside",
      "!isPackPath(name) || name.split",
      "name.split",
      `${build} > a patch that leaves its component`,
    ],
    [
      "pack.patch-failed in another package",
      ' || name.split("/").includes("node_modules")) {',
      ") {",
      `${build} > a patch into a package inside`,
    ],
    [
      "pack.patch-failed no change",
      'if (patch.hunks.length === 0) throw failed(subject, "a change", undefined);',
      "",
      `${build} > a patch that changes nothing`,
    ],
    [
      "pack.patch-failed fuzz",
      "fuzzFactor: 0,",
      "fuzzFactor: 9,",
      `${build} > a patch that only nearly applies`,
    ],
  ]),
  ...mutationsOf("pack/assemble/apply-omits.ts", build, [
    [
      "omit never takes a declared file",
      " || declaredFiles.has(path)) return false;",
      ") return false;",
      `${build} > a declared file is never omitted`,
    ],
  ]),
  ...mutationsOf("pack/assemble/check-executables.ts", build, [
    [
      "pack.executable-missing an entry",
      'if (command.kind === "entry") await assertFile(root, command.entry, name);\n    else await',
      'if (command.kind !== "entry") await',
      `${build} > an entry script that its package`,
    ],
    [
      "pack.executable-missing",
      "    await assertFile(root, path, name);\n",
      "",
      `${build} > an executable that its package`,
    ],
    [
      "pack.executable-digest",
      "if (found === sha256) return;",
      "if (found) return;",
      `${build} > an executable with other bytes`,
    ],
    [
      "host-needs.not-an-executable is asked",
      "    await assertExecutableOf(target, join(root, path));\n",
      "",
      `${build} > an executable that is a script`,
    ],
  ]),
  ...mutationsOf("pack/assemble/to-executable-path.ts", "pack/assemble/to-executable-path", [
    [
      "pack.executable-not-declared",
      "if (path !== undefined) return path;",
      'if (path !== null) return path ?? "";',
    ],
  ]),
  ...mutationsOf("pack/assemble/write-root-files.ts", build, [
    [
      "pack.lock-path-taken",
      '{ flag: "wx", mode }',
      '{ flag: "w", mode }',
      `${build} > a lock whose name a package takes`,
    ],
  ]),
  ...mutationsOf("pack/assemble/assemble-tree.ts", build, [
    [
      "pack.secrets-found",
      "if (first === undefined) return;",
      "if (findings) return;",
      `${build} > a credential in a package`,
    ],
  ]),
  ...mutationsOf("pack/declare-pack.ts", build, [
    [
      "pack.target-not-declared",
      "if (definition.targets.includes(target.id)) return;",
      "if (target.id) return;",
      `${build} > a target that is not declared`,
    ],
  ]),
  ...mutationsOf("pack/seal/to-payload.ts", build, [
    [
      "pack.bridge-missing",
      "if (component === undefined) {",
      'if (component === undefined) return [name, { version: bridge.version, path, sha256: "", builtFrom: "" }];\n    if (component === null) {',
      `${build} > a bridge that its target`,
    ],
    [
      "what was not exercised is no release",
      "source.release && tree.exercised",
      "source.release",
      `${build} > another target is assembled`,
    ],
  ]),
  ...mutationsOf("pack/exercise-tree.ts", build, [
    [
      "host-needs.private-library is asked",
      "if (interpreter !== undefined) await assertStandaloneInterpreter(tree.root, interpreter.path);",
      "",
      `${build} > an interpreter that needs a private library`,
    ],
  ]),
  ...mutationsOf("pack/output/assert-replaceable.ts", replace, [
    [
      "pack.output-is-link",
      "if (stats.isSymbolicLink()) {",
      "if (stats.isSocket()) {",
      `${replace} > a link to`,
    ],
    [
      "pack.output-not-a-pack a file",
      'if (!stats.isDirectory()) throw notAPack(out, "a file");',
      "if (!stats.isDirectory()) return;",
      `${replace} > replace a file`,
    ],
    [
      "pack.output-on-other-device",
      "if (parent.dev !== stats.dev) {",
      "if (parent.dev === -1) {",
      `${replace} > a mount point`,
    ],
    [
      "pack.output-not-a-pack",
      "if (names.length > 0) await assertOnlyListed(out);",
      "",
      `${replace} > does not replace`,
    ],
    [
      "pack.output-not-a-pack a foreign file",
      "if (!isListed(listed, relative(out, path), entry))\n",
      "if (path === null)\n",
      `${replace} > that no build made`,
    ],
    [
      "pack.output-not-a-pack below a folder",
      "if (entry.isDirectory()) pending.push(path);",
      "",
      `${replace} > in a listed folder`,
    ],
  ]),
  ...mutationsOf("pack/output/assert-safe-output.ts", safe, [
    [
      "pack.output-unsafe the root",
      '    ["the root of the file system", "/"],\n',
      "",
      `${safe} > refuses the root`,
    ],
    ["pack.output-unsafe the home", '    ["the home directory", places.home],\n', "", `${safe} > the home`],
    [
      "pack.output-unsafe the repository",
      '    ["the repository", places.repository],\n',
      "",
      `${safe} > refuses the repository`,
    ],
    [
      "pack.output-unsafe the pack's folder",
      '    ["the pack\'s own folder", places.packDir],\n',
      "",
      `${safe} > what holds the pack's folder`,
    ],
    [
      "pack.output-unsafe the working directory",
      '    ["the working directory", places.cwd],\n',
      "",
      `${safe} > the working directory`,
    ],
    [
      "pack.output-unsafe in the pack's folder",
      "if (isWithin(target, await realpath(places.packDir)))\n",
      "if (target === null)\n",
      `${safe} > a folder in the pack's folder`,
    ],
    [
      "pack.output-unsafe .git",
      'if (target.split(sep).includes(".git")) throw',
      "if (target === null) throw",
      `${safe} > inside .git`,
    ],
    [
      "pack.output-unsafe by the real path",
      "const real = await realpath(parent).catch(() => undefined);",
      "const real: string | undefined = parent;",
      `${safe} > through a link`,
    ],
    [
      "a name that begins alike is another",
      "directory.endsWith(sep) ? directory : directory + sep",
      "directory",
      `${safe} > begins like`,
    ],
  ]),
  ...mutationsOf("pack/output/swap-output.ts", replace, [
    [
      "an old folder that is no pack is not put back",
      ' && (await exists(join(sibling.path, "sealpack.json")))) sealed',
      ") sealed",
      `${replace} > never put back`,
    ],
    [
      "a living build's folder stays",
      "if (!sibling.alive) await",
      "if (sibling) await",
      `${replace} > what a dead build left`,
    ],
    [
      "a dead build's folder goes",
      "if (!sibling.alive) await",
      "if (sibling === null) await",
      `${replace} > what a dead build left`,
    ],
    [
      "the output is judged again before the swap",
      "const replaced = await assertReplaceable(out);",
      "const replaced = await exists(out);",
      `${replace} > a swap leaves`,
    ],
    [
      "a failed swap puts the old pack back",
      "if (replaced) await rename(old, out);",
      "",
      `${replace} > a swap that fails between`,
    ],
  ]),
  ...mutationsOf("pack/to-pack-failure.ts", "pack/to-pack-failure", [
    ["pack.no-space", 'if (noSpace.has(code)) return packError("pack.no-space", facts);', ""],
    ["pack.not-writable", 'notWritable.has(code) ? "pack.not-writable" : "pack.io"', '"pack.io"'],
    [
      "pack.no-space in an archive",
      'error.code === "archive.write-failed" ? error.cause : error',
      "error.code === null ? null : error",
    ],
    ["pack.io", 'notWritable.has(code) ? "pack.not-writable" : "pack.io"', '"pack.not-writable"'],
  ]),
  ...mutationsOf("pack/read-pack.ts", "cli/run-cli", [
    [
      "pack.interrupted-swap",
      "if (old !== undefined) {",
      "if (old === null) {",
      "cli/run-cli > interrupted swap",
    ],
  ]),
  ...mutationsOf("pack/secrets/token-shapes.ts", scan, [
    ...tokenPrefixes.map((prefix) => [`secrets.token ${prefix}`, prefix, `NEVER${prefix}`] as const),
    ["no token in a tutorial's JSON Web Token", "(?!eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l)", ""],
    ["no token in base64", "(?<![+/])A(?:KIA", "A(?:KIA"],
  ]),
  ...mutationsOf("pack/secrets/scan-text.ts", scan, [
    ["a token is no part of a word", "(?<![A-Za-z0-9_])(${pattern})", "(${pattern})"],
    ["secrets.private-key", "else if (isPrivateKey(", "else if (text === null && isPrivateKey("],
    ["secrets.private-key 64 characters", "{64}/.test(joined)", "{65}/.test(joined)"],
    ["secrets.private-key no fewer", "{64}/.test(joined)", "{63}/.test(joined)"],
    ["secrets.private-key has an end", "if (end === -1) return false;", ""],
    ["secrets.private-key ends at the next", "next === -1 ? undefined : next", "undefined"],
    ["secrets.private-key escaped", ".split(/\\\\[nr]|[\\r\\n]/)", ".split(/[\\r\\n]/)"],
    ["secrets.private-key joined", "    .map(trimLine)\n", ""],
  ]),
  ...mutationsOf("pack/secrets/named-files.ts", scan, [
    ["secrets.npmrc", 'toHits(text, credential, "secrets.npmrc", "credential")', "[]"],
    ["secrets.npmrc no reference", "(?![\"']?\\$\\{[^}]*\\}[\"']?[ \\t\\r]*$)", ""],
    ["secrets.npmrc by name", 'if (name === ".npmrc" || name === "npmrc") return scanNpmrc;', ""],
    ["secrets.env-file", 'toHits(text, assignment, "secrets.env-file", "assignment")', "[]"],
    ["secrets.env-file by name", "return isEnvFile(name) ? scanEnvFile : undefined;", "return undefined;"],
    ["secrets.env-file no example", " && !/\\.(?:example|sample|template|dist)$/.test(name)", ""],
  ]),
  ...mutationsOf("pack/secrets/find-secrets.ts", "pack/secrets/find-secrets", [
    ["secrets.unreadable", "constants.O_RDONLY | constants.O_NOFOLLOW |", "constants.O_RDONLY |"],
    ["a file with a NUL is no text", "if (buffer.subarray(0, start).includes(0)) return [];", ""],
    ["named files are asked", ", ...(named?.(text) ?? [])]", "]"],
    ["pieces overlap", "const to = count === 0 ? filled : filled - longestSecret;", "const to = filled;"],
  ]),
  ...mutationsOf("pack/host-needs/assert-standalone-interpreter.ts", needs, [
    ["host-needs.private-library", "if (strange.length === 0) return;", "if (strange) return;"],
    [
      "host-needs.private-library whole names",
      "return baseLibraries.some((pattern) => pattern.test(name));",
      'return baseLibraries.some((pattern) => new RegExp(pattern.source.replace("$", "")).test(name));',
    ],
  ]),
  ...mutationsOf("pack/host-needs/assert-executable-of.ts", needs, [
    ["host-needs.not-an-executable", "if (!isElf(start)) throw toNotExecutable(target, shown, start);", ""],
    [
      "host-needs.not-an-executable type",
      "if (elf.type !== 2 && elf.type !== 3) throw",
      "if (elf.type === -1) throw",
    ],
    [
      "host-needs.wrong-architecture",
      "if (elf.machine !== machines[target.architecture]) {",
      "if (elf.machine === -1) {",
    ],
    [
      "host-needs.wrong-libc",
      "if (libc === undefined || libc === target.libc) return;",
      "if (target) return;",
    ],
    ["host-needs.not-an-executable Mach-O", "if (!isMachO(start)) throw", "if (start === null) throw"],
    [
      "host-needs.wrong-architecture Mach-O",
      "if (architectures.includes(target.architecture)) return;",
      "if (architectures) return;",
    ],
  ]),
  ...mutationsOf("pack/host-needs/read-host-needs.ts", needs, [
    ["host-needs.closure-too-large", "if (seen.size > closureLimit) throw toTooLarge(path);", ""],
    [
      "no library outside the pack counts as inside",
      'return folder === ".." || folder.startsWith("../") ? undefined : folder;',
      "return folder;",
    ],
    ["no library for another machine", "if (library.machine === elf.machine) found", "if (library) found"],
  ]),
];
