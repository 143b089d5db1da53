/** A tag begins with a letter: `BMI <25 or >30` has none. */
const TAG = /<\/?[a-z][^<>]*>/gi;

/** @returns a label without HTML, as needed for names in tables */
export function plain(label: string): string {
  return label.replace(TAG, '').trim();
}
