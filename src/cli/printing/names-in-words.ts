import { printable } from './table.js';

/**
 * Lists the first five names, as in `"a", "b" and 3 more`, so that users can check whether the right ones are meant.
 */
export function namesInWords(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${printable(name)}"`);
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ');
}
