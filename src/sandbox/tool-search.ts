/**
 * Shell text that sets `variable` to a base tool by absolute path, so that the sandbox's PATH has no say; empty where there is none.
 * The value can be two words (`/bin/busybox grep`): use it unquoted.
 */
export function toToolSearch(variable: string, tool: string): string {
  const candidates = [
    `/usr/bin/${tool}`,
    `/bin/${tool}`,
    `'/bin/busybox ${tool}'`,
    `'/usr/bin/busybox ${tool}'`,
  ];
  return `for ${variable} in ${candidates.join(" ")} '';do [ -x "\${${variable}%% *}" ]&&break;done\n`;
}
