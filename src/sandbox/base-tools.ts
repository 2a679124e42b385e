/** SHA-256 tools of the base system, fastest first (design 8: openssl is eight times faster than Debian's sha256sum), as shell words. */
export const hashTools = [
  "/usr/bin/openssl dgst -sha256 -r",
  "/bin/openssl dgst -sha256 -r",
  "/usr/bin/sha256sum",
  "/bin/sha256sum",
  "/bin/busybox sha256sum",
  "/usr/bin/busybox sha256sum",
  "/usr/bin/shasum -a 256",
] as const;

const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/** Shell text that sets `variable` to the first of them that hashes `abc` right, or to nothing. It reads its input on stdin. */
export function toHashToolSearch(variable: string): string {
  const tools = hashTools.map((tool) => `'${tool}'`).join(" ");
  return `for ${variable} in ${tools} '';do [ -x "\${${variable}%% *}" ]||continue
case $(printf abc|$${variable} 2>/dev/null) in ${abc}*)break;;esac
done
`;
}
