/**
 * The same for any two paths that some file system takes for one: NFC and full case folding (ß is ss, Kelvin is k).
 * Lower, upper, lower covers what one mapping leaves out; it may fold more, never less. No locale is involved.
 */
export function foldPath(path: string): string {
  if (/^[\u0020-\u007e]*$/.test(path)) return path.toLowerCase();
  return path.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}
