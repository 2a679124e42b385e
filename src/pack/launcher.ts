import { comparePaths } from "../tree/path-order.ts";

/** What a launcher starts. Paths are inside the pack; `{pack}` in a value of `env` stands for the pack's root. */
export type LauncherTarget =
  | { readonly kind: "executable"; readonly path: string; readonly env: Environment }
  | {
      readonly kind: "entry";
      readonly interpreter: string;
      readonly entry: string;
      readonly env: Environment;
    };

type Environment = Readonly<Record<string, string>>;

/**
 * The POSIX sh script at `<pack>/node_modules/.bin/<name>`: finds the pack from its own path, sets the declared
 * environment and replaces itself with the pack's own executable. The same target gives the same bytes.
 */
export function printLauncher(target: LauncherTarget): string {
  const paths = target.kind === "executable" ? [target.path] : [target.interpreter, target.entry];
  const command = paths.map((path) => `"$sealpack_root"/${quote(path)}`).join(" ");
  const names = Object.keys(target.env).sort(comparePaths);
  const assignments = names.map((name) => printAssignment(name, target.env[name] ?? ""));
  return `${head}${assignments.join("")}exec ${command} "$@"\n`;
}

/**
 * `sh -`: a relative path may start with a dash. The variables are unset first, since one of the same name in the
 * caller's environment would stay exported to the child. `cd -P` asks the kernel what `..` is, so a link among the
 * directories misleads nobody; the dot keeps a newline that ends a path. Links are read by the one external tool.
 */
const head = `#!/bin/sh -
unset sealpack_self sealpack_link sealpack_links sealpack_root
sealpack_fail() {
  printf '%s: %s\\n' "$0" "$1" >&2
  exit 126
}
case $0 in
  /*) sealpack_self=$0 ;;
  *) sealpack_self=./$0 ;;
esac
sealpack_links=0
while [ -h "$sealpack_self" ]; do
  [ "$sealpack_links" -lt 40 ] || sealpack_fail 'too many symbolic links'
  sealpack_links=$((sealpack_links + 1))
  sealpack_link=$(command -p readlink -n "$sealpack_self" && echo .) || sealpack_fail 'cannot read a symbolic link'
  sealpack_link=\${sealpack_link%.}
  case $sealpack_link in
    /*) sealpack_self=$sealpack_link ;;
    *) sealpack_self=\${sealpack_self%/*}/$sealpack_link ;;
  esac
done
sealpack_root=$(cd -P -- "\${sealpack_self%/*}/../.." && pwd -P && echo .) || sealpack_fail 'cannot find the pack'
sealpack_root=\${sealpack_root%??}
`;

/** POSIX names only: the definition's schema admits no other, and a name is printed without quotes. */
function printAssignment(name: string, value: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith("sealpack_")) {
    throw new TypeError(`not a name for a launcher's environment: ${JSON.stringify(name)}`);
  }
  const parts = value.split("{pack}").map((part) => (part === "" ? "" : quote(part)));
  return `export ${name}=${parts.join('"$sealpack_root"')}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
