import { ROW_FORMATS, type RowFormat } from '../../services/row-output/row-format.js';

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

/** `--output` of a command whose file appears when it is complete. @param what the command writes: `export` */
export function completeFileOption(what: 'export' | 'report' | 'document') {
  return {
    alias: 'o',
    type: 'string',
    requiresArg: true,
    describe: `Write to this file; it appears when the ${what} is complete`,
  } as const;
}
