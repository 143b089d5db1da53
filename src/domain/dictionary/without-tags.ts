/** A tag begins with a letter: `BMI <25 or >30` has none. */
const TAG = /<\/?[a-z][^<>]*>/gi;

/** Tags that separate words; others, as in `H<sub>2</sub>O`, do not. */
const BREAK = /<\/?(?:br|div|h[1-6]|hr|li|ol|p|table|td|th|tr|ul)\b[^<>]*>/gi;

/** Returns a label, which may have HTML, as plain text on one line. */
export function withoutTags(label: string): string {
  return label.replace(BREAK, ' ').replace(TAG, '').replace(/\s+/g, ' ').trim();
}
