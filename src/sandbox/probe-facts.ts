import { sandboxError } from "./errors.ts";
import { parseAnswerLines } from "./marked-answer.ts";
import type { ProbeQuestion } from "./probe-script.ts";

export interface CommandFacts {
  readonly name: string;
  /** What `command -v` printed; "" where it failed. Bytes of the sandbox: show them escaped. */
  readonly answer: string;
  /** Whether the answer is an executable file. */
  readonly isFile: boolean;
  /** Every executable of that name on PATH's absolute entries, in order. */
  readonly all: readonly string[];
}

export type DirectoryState = (typeof directoryStates)[number];

export interface DirectoryFacts {
  readonly path: string;
  /** Where it was tried: the path, or the nearest directory above it that exists. */
  readonly tested: string;
  readonly state: DirectoryState;
  readonly exec: "yes" | "no" | "unknown";
}

export interface ProbeFacts {
  readonly path: string;
  readonly sh: string;
  readonly shell: string;
  readonly tar: { readonly answer: string; readonly state: "ok" | "broken" | "unknown" | "missing" };
  readonly nodeVersion: string;
  readonly user: UserFacts;
  readonly commands: readonly CommandFacts[];
  readonly directories: Readonly<Record<DirectoryName, DirectoryFacts>>;
  /** The base tool that hashes, as shell words; "" for none. */
  readonly hashTool: string;
  readonly host: HostFacts;
}

export interface UserFacts {
  readonly id: number | null;
  readonly name: string;
  readonly umask: string;
  readonly root: (typeof rootAnswers)[number];
}

export interface HostFacts {
  /** `Linux x86_64`; "" where it could not be told. */
  readonly uname: string;
  /** `2.36`; "" where it could not be told. */
  readonly glibc: string;
  readonly glibcxx: string;
  /** Bytes free in the home directory; null where it could not be told. */
  readonly freeBytes: number | null;
  readonly elfInterpreters: readonly boolean[];
  readonly libraries: readonly boolean[];
  readonly cpu: readonly ("yes" | "no" | "unknown")[];
}

export const directoryNames = ["workspace", "home", "cache", "temp"] as const;
export type DirectoryName = (typeof directoryNames)[number];

const directoryStates = [
  "ok",
  "missing",
  "unset",
  "no-rm",
  "write-failed",
  "read-failed",
  "remove-failed",
] as const;
/** How the user is or can become root; `no` and `unknown` are not the same. */
export const rootAnswers = [
  "no",
  "unknown",
  "root",
  "sudo",
  "doas",
  "docker",
  "passwd",
  "capabilities",
] as const;
const yesNo = ["yes", "no"] as const;
const yesNoUnknown = ["yes", "no", "unknown"] as const;

/**
 * What the sandbox said, checked key by key: each that was asked is there, nothing else is, and each has a form that it can have.
 * @throws SealpackError `sandbox.answer-malformed`
 */
export function parseProbeFacts(answer: Uint8Array, question: ProbeQuestion, subject: string): ProbeFacts {
  const lines = new AnswerReader(parseAnswerLines(answer, subject), subject);
  const facts: ProbeFacts = {
    path: lines.text("path"),
    sh: lines.text("sh"),
    shell: lines.text("shell"),
    tar: {
      answer: lines.text("tar.answer"),
      state: lines.choice("tar.state", ["ok", "broken", "unknown", "missing"]),
    },
    nodeVersion: lines.text("node.version"),
    user: toUser(lines),
    commands: question.commands.map((name, index) => toCommand(lines, name, index)),
    directories: {
      workspace: toDirectory(lines, "workspace"),
      home: toDirectory(lines, "home"),
      cache: toDirectory(lines, "cache"),
      temp: toDirectory(lines, "temp"),
    },
    hashTool: lines.text("hash"),
    host: toHost(lines, question),
  };
  lines.assertAllRead();
  return facts;
}

function toUser(lines: AnswerReader): UserFacts {
  const id = lines.text("user.id");
  return {
    id: /^[0-9]{1,10}$/.test(id) ? Number(id) : null,
    name: lines.text("user.name"),
    umask: lines.text("user.umask"),
    root: lines.choice("user.root", rootAnswers),
  };
}

function toCommand(lines: AnswerReader, name: string, index: number): CommandFacts {
  return {
    name,
    answer: lines.text(`command.${index}.answer`),
    isFile: lines.choice(`command.${index}.file`, yesNo) === "yes",
    all: lines.text(`command.${index}.all`).split("\n").filter(Boolean),
  };
}

function toDirectory(lines: AnswerReader, name: DirectoryName): DirectoryFacts {
  return {
    path: lines.text(`dir.${name}.path`),
    tested: lines.text(`dir.${name}.tested`),
    state: lines.choice(`dir.${name}.state`, directoryStates),
    exec: lines.choice(`dir.${name}.exec`, yesNoUnknown),
  };
}

function toHost(lines: AnswerReader, question: ProbeQuestion): HostFacts {
  const uname = lines.text("host.uname");
  return {
    uname: /^[A-Za-z]{1,16} [a-z0-9_]{1,16}$/.test(uname) ? uname : "",
    glibc: /\b([0-9]+\.[0-9]+)\b/.exec(lines.text("host.glibc"))?.[1] ?? "",
    glibcxx: /^[0-9.]{1,16}$/.exec(lines.text("host.glibcxx"))?.[0] ?? "",
    freeBytes: toFreeBytes(lines.text("host.df")),
    elfInterpreters: question.elfInterpreters.map(
      (_, index) => lines.choice(`elf.${index}`, yesNo) === "yes",
    ),
    libraries: question.libraries.map((_, index) => lines.choice(`lib.${index}`, yesNo) === "yes"),
    cpu: question.cpu.map((_, index) => lines.choice(`cpu.${index}`, yesNoUnknown)),
  };
}

/** The fourth column of `df -Pk`'s second line, in KiB. */
function toFreeBytes(df: string): number | null {
  const field = df.split("\n")[1]?.trim().split(/\s+/)[3] ?? "";
  return /^[0-9]{1,13}$/.test(field) ? Number(field) * 1024 : null;
}

class AnswerReader {
  readonly #lines: ReadonlyMap<string, string>;
  readonly #subject: string;
  readonly #read = new Set<string>();

  constructor(lines: ReadonlyMap<string, string>, subject: string) {
    this.#lines = lines;
    this.#subject = subject;
  }

  text(key: string): string {
    const value = this.#lines.get(key);
    if (value === undefined) throw this.#malformed(`an answer to ${key}`, "none");
    this.#read.add(key);
    return value;
  }

  choice<const Value extends string>(key: string, values: readonly Value[]): Value {
    const text = this.text(key);
    const value = values.find((candidate) => candidate === text);
    if (value === undefined)
      throw this.#malformed(`${key}: ${values.join(", ")}`, JSON.stringify(text.slice(0, 80)));
    return value;
  }

  assertAllRead(): void {
    const extra = [...this.#lines.keys()].find((key) => !this.#read.has(key));
    if (extra !== undefined) throw this.#malformed("answers to what was asked", extra);
  }

  #malformed(expected: string, got: string) {
    return sandboxError("sandbox.answer-malformed", { subject: this.#subject, expected, got });
  }
}
