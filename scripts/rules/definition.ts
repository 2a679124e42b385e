import { type Mutation, mutationsOf } from "./mutation.ts";

const parse = "definition/parse-definition";

export const definitionMutations: readonly Mutation[] = [
  ...mutationsOf("definition/yaml-document.ts", parse, [
    ["definition.too-large", "if (bytes.length > maximumBytes) {", "if (bytes.length < 0) {"],
    ["definition.not-utf8", "{ fatal: true,", "{ fatal: false,"],
    [
      "definition.too-deep collections",
      "if (ancestors.length <= maximumDepth * 2) return undefined;",
      "if (ancestors.length >= 0) return undefined;",
    ],
    [
      "definition.syntax",
      "problems: [...syntaxProblems(source), ...plainProblems(source)]",
      "problems: plainProblems(source)",
    ],
    [
      "definition.duplicate-key",
      'duplicate ? "definition.duplicate-key" : "definition.syntax"',
      '"definition.syntax"',
    ],
    ["definition.duplicate-key is asked", "uniqueKeys: true,", "uniqueKeys: false,"],
    [
      "definition.alias an anchor",
      'else if (node.anchor !== undefined) add(node, "definition.alias", "no anchor", `&${node.anchor}`);',
      "",
    ],
    [
      "definition.tag",
      'if (!isAlias(node) && node.tag !== undefined) add(node, "definition.tag", "no tag", node.tag);',
      "",
    ],
    ["definition.wrong-name __proto__", 'pair.key.value === "__proto__"', 'pair.key.value === "__never__"'],
    ["the position is the key's", "problem.atKey === true && ", "false && "],
    [
      "lines count from 1",
      "line: Math.max(line, 1), column: Math.max(col, 1)",
      "line: line - 1, column: Math.max(col, 1)",
    ],
  ]),
  ...mutationsOf("definition/schema-problems.ts", parse, [
    ["definition.unknown-key", 'if (issue.code === "unrecognized_keys") {', 'if (issue.code === "custom") {'],
    [
      "definition.unknown-key a near target is suggested",
      "isByTarget(path) ? unknownTarget([...path, key]) : unknownKey",
      "unknownKey",
    ],
    ["definition.missing-key", "if (value === undefined) return [missingKey(path)];", ""],
    [
      "definition.wrong-type",
      'if (issue.code === "invalid_type") return [wrongType(source, path, issue.expected, value)];',
      "",
    ],
    [
      "definition.number-for-string",
      'if (expected === "string" && written',
      'if (expected === "never" && written',
    ],
    [
      "a near key is suggested",
      "const remedy = near === undefined ? {} : { remedy: `Did you mean \\`${near}\\`?` };\n  const expected",
      "const remedy = {};\n  const expected",
    ],
    [
      "a misspelled key is one mistake",
      "return { document: undefined, problems: withoutEchoes(problems) };",
      "return { document: undefined, problems };",
    ],
  ]),
  ...mutationsOf("definition/pack-schema.ts", parse, [
    ["definition.wrong-value the schema", 'z.literal("sealpack/pack/v1")', "z.string()"],
    ["definition.wrong-value no target", "z.array(target).min(1)", "z.array(target)"],
    ["definition.wrong-value a target", "targets: z.array(target)", "targets: z.array(z.string())"],
    ["definition.wrong-value replacedBy", 'z.enum(["nothing", "place"])', "z.string()"],
  ]),
  ...mutationsOf("definition/value-rules.ts", parse, [
    [
      "definition.placeholder in a path",
      'if (/[{}]/.test(value)) return [toProblem("definition.placeholder", path, "no placeholder here", value)];',
      "",
    ],
    ["definition.wrong-path", "if (isPackPath(value)) return [];", "if (value !== null) return [];"],
    [
      "definition.placeholder in omit",
      'if (unknown !== null) return [toProblem("definition.placeholder", path, "only {target}", unknown[0])];',
      "",
    ],
    ["definition.wrong-pattern", "if (!isOmitPattern(words)) {", "if (words === null) {"],
    ["definition.wrong-digest", "if (!/^[0-9a-f]{64}$/.test(value)) {", "if (value === null) {"],
    ["definition.placeholder-digest", "if (/^(.{1,16})\\1+$/.test(value)) {", "if (value === null) {"],
    ["definition.wrong-version", "valid(value) === value ? []", "value !== null ? []"],
    ["definition.wrong-name", "  if (safe) return [];\n", "  if (safe || value) return [];\n"],
    ["definition.wrong-name of digits", " && !/^\\d+$/.test(value);", ";"],
    [
      "definition.wrong-name of a package",
      'return safe ? [] : [toProblem("definition.wrong-name", path, "a package name", value)];',
      "return safe ? [] : [];",
    ],
    [
      "definition.wrong-origin https",
      'url?.protocol === "https:" && url.origin === value',
      "url?.origin === value",
    ],
    ["definition.wrong-origin alone", '"https:" && url.origin === value', '"https:"'],
    [
      "definition.wrong-name of a variable",
      "if (/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(value)) return [];",
      "if (value) return [];",
    ],
    [
      "definition.wrong-value of a variable",
      "if (/[\\u0000-\\u001f\\u007f]/.test(value)) {",
      "if (value === null) {",
    ],
    [
      "definition.placeholder of a variable",
      'return unknown === null ? [] : [toProblem("definition.placeholder", path, "only {pack}", unknown[0])];',
      "return unknown === null ? [] : [];",
    ],
    [
      "definition.wrong-value a line",
      "  /[\\u0000-\\u001f\\u007f]/.test(value)\n    ?",
      "  value === null\n    ?",
    ],
    [
      "definition.wrong-value of absent",
      'if (at < 1) return [toProblem("definition.wrong-value", path, "name@version", value)];',
      "",
    ],
    [
      "definition.wrong-version of absent",
      "[...packageNameRule(name, path), ...versionRule(version, path)]",
      "packageNameRule(name, path)",
    ],
    ["definition.wrong-value of absent's target", "  anyTarget.test(value) ? []", "  value ? []"],
  ]),
  ...mutationsOf("definition/pack-path.ts", parse, [
    ["definition.wrong-path a backslash", "[\\u0000-\\u001f\\u007f\\\\]", "[\\u0000-\\u001f\\u007f]"],
    ["definition.wrong-path a drive", " || /^[A-Za-z]:/.test(path)", ""],
    ["definition.wrong-path an empty part", 'part !== "" && part !== "."', 'part !== "."'],
    ["definition.wrong-path .", '&& part !== "." &&', "&&"],
    ["definition.wrong-path ..", ' && part !== "..")', ")"],
  ]),
  ...mutationsOf("definition/omit-pattern.ts", parse, [
    ["definition.wrong-pattern brackets", "if (/[{}[\\]?!]/.test(plain)) return false;", ""],
    [
      "definition.wrong-pattern **",
      'pattern.split("/").every((part) => part === "**" || !part.includes("**")) && ',
      "",
    ],
  ]),
  ...mutationsOf("definition/cross-rules.ts", parse, [
    ...(
      [
        ["definition.command-kind", "commandKindRule"],
        ["definition.interpreter-missing and -unused", "interpreterRule"],
        ["definition.interpreter-too-old is asked", "interpreterVersionRule"],
        ["definition.undeclared-target", "targetRule"],
        ["definition.executable-missing", "executableRule"],
        ["definition.place-collision is asked", "placeRule"],
        ["definition.reserved-path of the lock", "lockPathRule"],
        ["definition.name-collision", "collisionRule"],
        ["definition.missing-key of an install script", "installScriptRule"],
        ["definition.wrong-value absent twice", "absentRule"],
      ] as const
    ).map(([rule, name]) => [rule, `  ${name},\n`, ""] as const),
    [
      "definition.interpreter-missing",
      "if (entry !== undefined && interpreter === undefined) {",
      'if (entry === "") {',
    ],
    [
      "definition.interpreter-unused",
      "if (entry === undefined && interpreter !== undefined) {",
      'if (entry === "") {',
    ],
    ["definition.interpreter-too-old", "if (isBelow(version, minimum)) {", "if (version === null) {"],
    ["definition.undici-too-old", "if (isBelow(undici, minimumUndici)) {", "if (undici === null) {"],
    [
      "definition.undeclared-target of cpu",
      '    ...Object.keys(cpu ?? {}).map((target) => ["cpu", target]),\n',
      "",
    ],
    [
      "definition.wrong-value a target twice",
      '  return [...undeclared, ...repeated(targets, ["targets"])];',
      "  return undeclared;",
    ],
    ["definition.place-collision", "  return [...collisions, ...reserved];", "  return reserved;"],
    ["definition.reserved-path", "  return [...collisions, ...reserved];", "  return collisions;"],
    [
      "definition.name-collision by case",
      "folded.indexOf(name.toLowerCase()) < index",
      "names.indexOf(name) < index",
    ],
  ]),
  ...mutationsOf("definition/parse-definition.ts", parse, [
    ["value rules are asked", "[...toValueProblems(document), ...crossRules", "[...crossRules"],
    ["YAML problems are asked", "  assertSound(source.problems);\n", ""],
    [
      "problems are in the order of the file",
      ".sort((a, b) => a.line - b.line || a.column - b.column)",
      ".reverse()",
    ],
  ]),
];
