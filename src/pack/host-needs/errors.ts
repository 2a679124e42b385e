import { type ErrorTable, errorsOf } from "../../errors.ts";

/** What reading native executables can find (design 3 `requires`, B7). Their bytes come from packages: never trusted. */
export const hostNeedsErrors = {
  "host-needs.not-an-executable": {
    exit: 1,
    meaning: "A file that must be a native executable is not one of the target's format (ELF or Mach-O).",
    remedy: "Declare the real executable: packages often put a stub or a script in its place.",
  },
  "host-needs.wrong-architecture": {
    exit: 1,
    meaning: "A native executable was built for another architecture than the target's.",
    remedy: "Declare the executable of the target's platform package.",
  },
  "host-needs.wrong-libc": {
    exit: 1,
    meaning: "A native executable asks for the dynamic linker of another libc than the target's.",
    remedy: "Declare the executable of the target's platform package.",
  },
  "host-needs.malformed-elf": {
    exit: 1,
    meaning:
      "An ELF file contradicts itself: an offset, size, count or chain leads out of the file or in a circle.",
    remedy: "Check the package: its file is damaged or made to mislead.",
  },
  "host-needs.closure-too-large": {
    exit: 1,
    meaning: "An executable's libraries inside the pack are more than 1,000.",
    remedy: "Check the package; no known executable comes near.",
  },
  "host-needs.private-library": {
    exit: 1,
    meaning: "The interpreter needs a shared library that not every machine of the target has.",
    remedy:
      "Use a standalone Node (the official builds are): a distribution's own Node needs the distribution's libraries.",
  },
} as const satisfies ErrorTable;

export const hostNeedsError = errorsOf(hostNeedsErrors);
