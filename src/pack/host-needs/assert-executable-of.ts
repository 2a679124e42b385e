import type { Target } from "../../definition/target.ts";
import { isElf } from "./elf-header.ts";
import { hostNeedsError } from "./errors.ts";
import { isMachO, readMachOArchitectures } from "./mach-o.ts";
import { type ElfFile, readElf, withFile } from "./read-elf.ts";

/** ELF's e_machine by architecture. */
const machines = { x64: 62, arm64: 183 } as const;

/**
 * A declared executable must be a native one of the target: not a script, a stub or another platform's (design 5).
 * @throws host-needs.not-an-executable, host-needs.wrong-architecture, host-needs.wrong-libc, host-needs.malformed-elf
 */
export async function assertExecutableOf(target: Target, path: string, shown: string = path): Promise<void> {
  const start = await readStart(path);
  if (target.platform === "darwin") return assertMachO(target, start, shown);
  if (!isElf(start)) throw toNotExecutable(target, shown, start);
  const elf = await readElf(path, shown);
  if (elf.type !== 2 && elf.type !== 3) throw toNotExecutable(target, shown, start);
  if (elf.machine !== machines[target.architecture]) {
    throw toWrongArchitecture(target, shown, nameOf(elf.machine));
  }
  assertLibc(target, elf, shown);
}

/** The dynamic linker's name tells the libc; a static executable has none and runs on either. */
function assertLibc(target: Target, { interpreter }: ElfFile, subject: string): void {
  const name = interpreter?.slice(interpreter.lastIndexOf("/") + 1) ?? "";
  const libc = name.startsWith("ld-musl-") ? "musl" : name.startsWith("ld-linux") ? "glibc" : undefined;
  if (libc === undefined || libc === target.libc) return;
  const got = `${libc} (${interpreter})`;
  throw hostNeedsError("host-needs.wrong-libc", {
    subject,
    expected: `an executable for ${target.libc}`,
    got,
  });
}

function assertMachO(target: Target, start: Buffer, shown: string): void {
  if (!isMachO(start)) throw toNotExecutable(target, shown, start);
  const architectures = readMachOArchitectures(start);
  if (architectures.includes(target.architecture)) return;
  throw toWrongArchitecture(target, shown, architectures.join(", ") || "another");
}

function toNotExecutable(target: Target, subject: string, start: Buffer): Error {
  const expected = target.platform === "darwin" ? "a Mach-O executable" : "an ELF executable";
  const got =
    start.length === 0
      ? "an empty file"
      : `a file that begins ${JSON.stringify(start.toString("latin1", 0, 16))}`;
  return hostNeedsError("host-needs.not-an-executable", { subject, expected, got });
}

function toWrongArchitecture(target: Target, subject: string, got: string): Error {
  return hostNeedsError("host-needs.wrong-architecture", { subject, expected: target.architecture, got });
}

function nameOf(machine: number): string {
  return Object.entries(machines).find(([, number]) => number === machine)?.[0] ?? `machine ${machine}`;
}

async function readStart(path: string): Promise<Buffer> {
  return withFile(path, async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead);
  });
}
