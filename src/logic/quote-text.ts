/**
 * Writes a text as a string of REDCap's logic.
 *
 * How a quote inside a string is escaped is not known, so a text is wrapped in the kind of quote it does not hold, and
 * cannot be written when it holds both (docs/protocol/redcap.md 7.3, choice). Neither can a backslash: some clients escape
 * with it, so a server may read it as an escape.
 *
 * @returns undefined when the text cannot be written safely
 */
export function quoteText(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f\\]/.test(text) || (text.includes("'") && text.includes('"'))) return undefined;
  return text.includes("'") ? `"${text}"` : `'${text}'`;
}
