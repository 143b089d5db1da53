const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns texts that differ from a base64url text in one character: one per position, and all of them for the last
 * position, where several characters can encode the same bytes.
 */
export function oneAway(text: string): string[] {
  const each = Array.from(text, (character, index) => replaced(text, index, character === 'A' ? 'B' : 'A'));
  const last = Array.from(ALPHABET, (character) => replaced(text, text.length - 1, character));
  return [...each, ...last].filter((other) => other !== text);
}

function replaced(text: string, index: number, character: string): string {
  return text.slice(0, index) + character + text.slice(index + 1);
}
