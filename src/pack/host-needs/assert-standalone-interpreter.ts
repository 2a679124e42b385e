import { join } from "node:path";
import { hostNeedsError } from "./errors.ts";
import { isElfFile, readElf } from "./read-elf.ts";

/** What every glibc system with a C++ runtime has, and musl's own: a standalone Node needs nothing else (B7). */
const baseLibraries = [
  /^lib(?:c|m|dl|pthread|rt|util|resolv)\.so\.\d+$/,
  /^lib(?:stdc\+\+|gcc_s|atomic)\.so\.\d+$/,
  /^ld-linux-(?:x86-64|aarch64)\.so\.\d+$/,
  /^libc\.musl-(?:x86_64|aarch64)\.so\.1$/,
];

export function isBaseLibrary(name: string): boolean {
  return baseLibraries.some((pattern) => pattern.test(name));
}

/**
 * Refuses an interpreter that names any other library, also one that its RUNPATH would find inside the pack. `path` is
 * below `root`; a Mach-O file (darwin) is not looked into.
 * @throws host-needs.private-library, host-needs.malformed-elf
 */
export async function assertStandaloneInterpreter(root: string, path: string): Promise<void> {
  const file = join(root, path);
  if (!(await isElfFile(file))) return;
  const strange = (await readElf(file, path)).needed.filter((name) => !isBaseLibrary(name));
  if (strange.length === 0) return;
  throw hostNeedsError("host-needs.private-library", {
    subject: path,
    expected: "a standalone Node that needs only the C and C++ runtime",
    got: strange.join(", "),
    details: { libraries: strange },
  });
}
