/**
 * Writes a text as a string in REDCap's logic.
 *
 * It is not known how a quote inside a string is escaped. A text is therefore wrapped in the kind of quotes that it
 * does not contain, and cannot be written if it contains both (docs/protocol/redcap.md 7.3, choice). A backslash cannot
 * be written either: some clients escape with it, so a server may read it as an escape.
 *
 * @returns undefined if the text cannot be written safely
 */
export function quoteText(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f\\]/.test(text) || (text.includes("'") && text.includes('"'))) return undefined;
  return text.includes("'") ? `"${text}"` : `'${text}'`;
}
