/** The known key that a misspelled one is closest to, within a third of its length (at least two edits); or undefined. */
export function toNearKey(key: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(key.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, edits: editDistance(key.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}

/** Levenshtein. Keys come from the file, so only their first 64 characters count. */
function editDistance(left: string, right: string): number {
  const a = left.slice(0, 64);
  const b = right.slice(0, 64);
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, change));
    }
    row = next;
  }
  return row[b.length] as number;
}
