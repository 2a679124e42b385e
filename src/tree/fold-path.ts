const ascii = /^[\0-\x7f]*$/;

/**
 * What two paths share when a file system without case or normalisation would take them for one (design 1).
 * Unicode's canonical caseless match: NFD, full case folding, NFD. Folding is lower, upper, lower: the first step
 * takes U+1E9E to ß, the second is where JavaScript expands (ß to SS, the fi ligature to FI) and joins final sigma.
 */
export function foldPath(path: string): string {
  if (ascii.test(path)) return path.toLowerCase();
  return path.normalize("NFD").toLowerCase().toUpperCase().toLowerCase().normalize("NFD");
}
