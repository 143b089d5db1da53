/** @returns whether a file of this name is a workbook that can be read */
export function isWorkbookName(file: string): boolean {
  return /[^/\\]\.xls[xm]$/i.test(file);
}
