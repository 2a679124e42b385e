/** Text from an archive, fit for a message: control characters escaped, at most 200 characters. */
export function showText(text: string): string {
  const cut = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return cut.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\u202a-\u202e\u2066-\u2069]/g,
    escapeCharacter,
  );
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, "0").toUpperCase()}`
    : `\\u${code.toString(16).padStart(4, "0").toUpperCase()}`;
}
