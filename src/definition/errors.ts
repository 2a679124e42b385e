import { type ErrorTable, errorsOf } from "../errors.ts";

/** Every way in which a pack.yaml can be wrong. All end with exit 2: the author's input needs an edit. */
export const definitionErrors = {
  "definition.unreadable": {
    exit: 2,
    meaning: "The pack folder has no pack.yaml that can be read.",
    remedy: "Name a folder that holds pack.yaml, package.json and the lock.",
  },
  "definition.too-large": {
    exit: 2,
    meaning: "pack.yaml is larger than 256 KiB.",
    remedy: "Split the pack or remove generated content; a definition is written by hand.",
  },
  "definition.not-utf8": {
    exit: 2,
    meaning: "pack.yaml is not valid UTF-8.",
    remedy: "Save the file as UTF-8.",
  },
  "definition.syntax": {
    exit: 2,
    meaning: "pack.yaml is not one well-formed YAML 1.2 document.",
    remedy: "Correct the YAML at the position given.",
  },
  "definition.too-deep": {
    exit: 2,
    meaning: "pack.yaml is nested deeper than any definition can be.",
    remedy: "Remove the extra nesting.",
  },
  "definition.alias": {
    exit: 2,
    meaning: "An anchor or an alias is used; a definition is read as it is written.",
    remedy: "Write the value out.",
  },
  "definition.tag": {
    exit: 2,
    meaning: "A YAML tag is used; values are plain strings, numbers, booleans, lists and maps.",
    remedy: "Remove the tag.",
  },
  "definition.duplicate-key": {
    exit: 2,
    meaning: "A key stands twice in one map.",
    remedy: "Keep one of the two.",
  },
  "definition.unknown-key": {
    exit: 2,
    meaning: "A key that no definition has.",
    remedy: "Remove the key, or correct its spelling.",
  },
  "definition.missing-key": {
    exit: 2,
    meaning: "A required key is missing.",
    remedy: "Add the key.",
  },
  "definition.wrong-type": {
    exit: 2,
    meaning: "A value has another type than the key takes.",
    remedy: "Write a value of the expected type.",
  },
  "definition.number-for-string": {
    exit: 2,
    meaning: "A value that must be a string was written so that YAML reads another type, such as a number.",
    remedy: "Put the value in quotes.",
  },
  "definition.wrong-value": {
    exit: 2,
    meaning: "A value is of the right type but not one that the key takes.",
    remedy: "Write one of the expected values.",
  },
  "definition.wrong-name": {
    exit: 2,
    meaning: "A name cannot stand in a manifest or as a file in node_modules/.bin.",
    remedy:
      "Use letters, digits, dots, underscores, plus and minus, beginning with a small letter or a digit and not only digits.",
  },
  "definition.name-collision": {
    exit: 2,
    meaning: "Two names are equal once upper and lower case are folded.",
    remedy: "Rename one of them.",
  },
  "definition.wrong-path": {
    exit: 2,
    meaning: "A path is absolute, not normal, or leaves the pack.",
    remedy: "Write it relative to the pack, with / between names and without . or .. parts.",
  },
  "definition.reserved-path": {
    exit: 2,
    meaning: "A path that sealpack writes itself is the target of a placement, or the lock's.",
    remedy: "Use another path.",
  },
  "definition.place-collision": {
    exit: 2,
    meaning: "Two placements use the same file.",
    remedy: "Keep one of the two.",
  },
  "definition.placeholder": {
    exit: 2,
    meaning: "A placeholder that does not exist where it is used.",
    remedy: "Paths of place and omit know {target}; env values know {pack}; nothing else has one.",
  },
  "definition.wrong-pattern": {
    exit: 2,
    meaning: "An omit pattern is not one that sealpack understands.",
    remedy: "Use *, ** as a whole part, and {a,b} without nesting.",
  },
  "definition.wrong-digest": {
    exit: 2,
    meaning: "A SHA-256 is not 64 lowercase hex digits.",
    remedy: "Write the digest that sha256sum prints.",
  },
  "definition.placeholder-digest": {
    exit: 2,
    meaning: "A SHA-256 is a filler and not the digest of any file.",
    remedy: "Write the real digest; `sealpack lock refresh` writes the lock's.",
  },
  "definition.wrong-version": {
    exit: 2,
    meaning: "A version is not one exact semantic version.",
    remedy: "Write an exact version such as 1.2.3, not a range.",
  },
  "definition.wrong-origin": {
    exit: 2,
    meaning: "An origin is not of the form https://host or https://host:port.",
    remedy: "Write the origin alone, without user, path or final slash.",
  },
  "definition.command-kind": {
    exit: 2,
    meaning: "A command has both an executable and an entry, or neither.",
    remedy: "Give exactly one of the two.",
  },
  "definition.interpreter-missing": {
    exit: 2,
    meaning: "A command has an entry script, and no interpreter is declared to run it.",
    remedy: "Declare interpreter: { path, version, minimum, undici }.",
  },
  "definition.interpreter-unused": {
    exit: 2,
    meaning: "An interpreter is declared, and no command has an entry script.",
    remedy: "Remove interpreter; a node command alone is an ordinary executable.",
  },
  "definition.interpreter-too-old": {
    exit: 2,
    meaning: "The interpreter's version is below its declared minimum.",
    remedy: "Raise the version, in package.json too.",
  },
  "definition.undici-too-old": {
    exit: 2,
    meaning: "The interpreter's undici is below the fixed version of GHSA-3wwx-pv8p-q78v.",
    remedy: "Use a Node release that bundles a fixed undici.",
  },
  "definition.undeclared-target": {
    exit: 2,
    meaning: "Something is given for a target that the pack does not declare.",
    remedy: "Add the target to targets, or remove the row.",
  },
  "definition.executable-missing": {
    exit: 2,
    meaning: "A command has no executable for a declared target, and no absent row explains it.",
    remedy: "Add the executable, list the package that has no release under absent, or drop the target.",
  },
} as const satisfies ErrorTable;

export type DefinitionCode = keyof typeof definitionErrors;

export const definitionError = errorsOf(definitionErrors);
