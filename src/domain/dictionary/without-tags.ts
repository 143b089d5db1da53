/** A tag begins with a letter: `BMI <25 or >30` has none. */
const TAG = /<\/?[a-z][^<>]*>/gi;

/** Tags that separate words; others, as in `H<sub>2</sub>O`, do not. */
const BREAK = /<\/?(?:br|div|h[1-6]|hr|li|ol|p|table|td|th|tr|ul)\b[^<>]*>/gi;

/** Returns a label, which may have HTML, as plain text on one line. */
export function withoutTags(label: string): string {
  return label.replace(BREAK, ' ').replace(TAG, '').replace(/\s+/g, ' ').trim();
}

/**
 * Returns two different values so that they also look different: if only blanks or characters that nobody sees tell
 * them apart, as in `Grüße` and `␣Grüße`, those are written out.
 */
export function shownApart(one: string, other: string): readonly [string, string] {
  if (one === other || asSeen(one) !== asSeen(other)) return [one, other];
  return [written(one), written(other)];
}

function asSeen(text: string): string {
  return withoutTags(text.replace(/[\p{Cc}\p{Cf}]+/gu, ' '));
}

function written(text: string): string {
  return text.replaceAll(' ', '␣').replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return NAMES.get(character) ?? `\\u{${code.toString(16)}}`;
  });
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
