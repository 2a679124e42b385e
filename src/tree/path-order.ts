/** Orders two paths by their UTF-8 bytes: the order of `LC_ALL=C sort`, never of a locale or of UTF-16 units. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates (U+10000 and up) below U+E000 to U+FFFF; UTF-8 puts them above. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;
}
