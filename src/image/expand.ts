/** A value that is known, or why it is not. */
export type Expanded =
  | { readonly value: string; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: "unknown" | "form"; readonly what: string };

/** Values by name; a name that maps to undefined is declared without a value. */
export type Values = ReadonlyMap<string, string | undefined>;

const maximumLength = 4096;
const maximumDepth = 8;

/**
 * Replaces `$X`, `${X}`, `${X:-word}` and `${X:+word}`. A name that is not declared, any other form, quotes and escapes are problems:
 * what they come to depends on the builder.
 */
export function expandVariables(text: string, values: Values, depth = 0): Expanded {
  if (depth > maximumDepth || text.length > maximumLength)
    return { problem: "form", what: "a longer or deeper text" };
  if (/["'\\`]/.test(text)) return { problem: "form", what: text };
  let result = "";
  for (let index = 0; index < text.length; ) {
    if (text[index] !== "$") {
      result += text[index];
      index += 1;
      continue;
    }
    const variable = readVariable(text, index);
    if (variable === undefined) return { problem: "form", what: text.slice(index) };
    const expanded = expandOne(variable, values, depth);
    if (expanded.value === undefined) return expanded;
    result += expanded.value;
    if (result.length > maximumLength) return { problem: "form", what: "a longer text" };
    index = variable.end;
  }
  return { value: result };
}

interface VariableUse {
  readonly name: string;
  readonly operator?: "-" | "+";
  readonly word: string;
  readonly end: number;
}

function readVariable(text: string, start: number): VariableUse | undefined {
  const plain = /^\$([A-Za-z_][A-Za-z0-9_]*)/.exec(text.slice(start));
  if (plain !== null) return { name: plain[1] as string, word: "", end: start + plain[0].length };
  const braced = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([-+]))?/.exec(text.slice(start));
  if (braced === null) return undefined;
  const from = start + braced[0].length;
  const end = closingBrace(text, from);
  if (end === undefined || (braced[2] === undefined && end !== from)) return undefined;
  const operator = braced[2] as "-" | "+" | undefined;
  return {
    name: braced[1] as string,
    word: text.slice(from, end),
    end: end + 1,
    ...(operator ? { operator } : {}),
  };
}

function closingBrace(text: string, from: number): number | undefined {
  let depth = 0;
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === "{") depth += 1;
    if (text[index] !== "}") continue;
    if (depth === 0) return index;
    depth -= 1;
  }
  return undefined;
}

function expandOne({ name, operator, word }: VariableUse, values: Values, depth: number): Expanded {
  const value = values.get(name) ?? "";
  if (operator === undefined) return values.has(name) ? { value } : { problem: "unknown", what: name };
  const useWord = operator === "-" ? value === "" : value !== "";
  return useWord ? expandVariables(word, values, depth + 1) : { value };
}
