import { toShellWord } from "./shell-quote.ts";

/** What every script learns about the user's environment, as data: variable in the clean shell → shell text in the user's. */
const captured = {
  SP_PATH: "$PATH",
  SP_HOME: "$HOME",
  SP_TMPDIR: "$TMPDIR",
  SP_XDG_CACHE_HOME: "$XDG_CACHE_HOME",
  SP_XDG_CONFIG_HOME: "$XDG_CONFIG_HOME",
  SP_XDG_DATA_HOME: "$XDG_DATA_HOME",
  SP_XDG_RUNTIME_DIR: "$XDG_RUNTIME_DIR",
  SP_CWD: "$PWD",
} as const;

const hazards = "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT BASH_ENV ENV NODE_OPTIONS CDPATH";

/**
 * A script in two halves (design 8). `first` runs in the user's environment and may only look (`command -v`); what it leaves in
 * `SP_…` variables named in `pass` goes on as data, with PATH, HOME and their like. `then` runs in a shell that has nothing else:
 * its tools must be named by absolute path.
 */
export function toCleanShell(first: string, pass: readonly string[], then: string): string {
  const data = [
    ...Object.entries(captured).map(([name, text]) => `${name}="${text}"`),
    ...pass.map((name) => `${name}="$${name}"`),
  ];
  const shell = `/bin/sh -c ${toShellWord(then)} sh "$@"`;
  return `${first}
unset ${hazards}
for SP_ENV in /usr/bin/env /bin/env;do [ -x $SP_ENV ]&&exec $SP_ENV -i ${data.join(" ")} ${shell};done
exec /bin/busybox env -i ${data.join(" ")} ${shell}
`;
}
