/**
 * Returns a text as a cell of a CSV that people open in a spreadsheet. One that the spreadsheet would read as a formula
 * gets a leading apostrophe. `CsvFormulaGuard` does the same with the bytes of an export.
 */
export function spreadsheetCell(text: string): string {
  const safe = text.replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
