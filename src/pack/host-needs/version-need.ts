/** The highest version of a family among names such as `GLIBC_2.28`, as `2.28`; "" for none. GLIBC_PRIVATE is none. */
export function toHighestVersion(names: readonly string[], family: "GLIBC" | "GLIBCXX"): string {
  const pattern = new RegExp(`^${family}_(\\d{1,6}(?:\\.\\d{1,6}){0,3})$`);
  const versions = names.flatMap((name) => pattern.exec(name)?.[1] ?? []);
  return versions.reduce(
    (highest, version) => (compareVersions(version, highest) > 0 ? version : highest),
    "",
  );
}

/** By numbers, so that 2.9 is below 2.28. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
