import { ROW_FORMATS, type RowFormat } from '../../records/formats/row-format.js';

/** `--format` of `crf export` and `crf report`. */
export const exportFormatOption = {
  choices: ROW_FORMATS,
  describe: 'Default: from the extension of FILE, else json',
} as const;

/** How `crf export` and `crf report` write REDCap's values. */
export const rawValueOptions = {
  label: {
    type: 'boolean',
    default: false,
    describe: 'Export choice labels instead of codes',
  },
  'spreadsheet-safe': {
    type: 'boolean',
    default: false,
    describe: 'Put an apostrophe before cells that look like formulas (CSV)',
  },
} as const;

/** @throws {Error} `--spreadsheet-safe` was given for another format than CSV */
export function checkSpreadsheetSafe(isSafe: boolean, format: RowFormat): void {
  if (isSafe && format !== 'csv') throw new Error('--spreadsheet-safe needs --format csv');
}
