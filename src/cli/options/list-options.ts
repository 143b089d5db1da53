import { ROW_FORMATS, type RowFormat } from '../../records/formats/row-format.js';
import type { ArgumentsOf } from '../command.js';
import { type Combination, refuseCombinations } from './combinations.js';
import { FORMAT_COMBINATIONS } from './export-options.js';
import { exportFormat, outputFile } from './file-options.js';
import { choice, flag, number, text, value } from './option.js';
import {
  checkWholeNumbers,
  completeFileOption,
  MAX_INTEGER,
  periodOf,
  periodOptions,
} from './shared-options.js';

/** How `crf due`, `crf incomplete` and `crf quality` write their rows. @param otherwise what is the default format */
export function listOptions(what: 'report' | 'document', otherwise: string) {
  return {
    format: choice(`Default: from the extension of FILE, else ${otherwise}`, ROW_FORMATS),
    json: flag('The same as --format json'),
    'spreadsheet-safe': {
      type: 'boolean',
      describe: 'Put an apostrophe before cells that look like formulas (CSV); default: true',
    },
    limit: number('Only this many rows from the beginning'),
    output: completeFileOption(what),
    force: flag('Replace existing files'),
  } as const;
}

/** The options of `crf incomplete` and `crf due` that select records and events. */
export const formFilterOptions = {
  dag: text('Only records of this data access group, by its unique name'),
  arm: number('Only events of this arm'),
  event: text('Only this event'),
  ...periodOptions('Only records that joined'),
} as const;

/** `--by-dag` of a command that lists what each group has to do. */
export const byDagOption = value(
  'Write a workbook (.xlsx) for each data access group to this folder, with labels',
);

export const LIST_COMBINATIONS: readonly Combination[] = [
  { option: 'by-dag', not: ['output', 'format', 'json', 'spreadsheet-safe', 'limit'] },
  { option: 'json', not: 'format' },
];

type ListArguments = Pick<
  ArgumentsOf<ReturnType<typeof listOptions>>,
  'format' | 'json' | 'output' | 'spreadsheetSafe' | 'limit'
>;

/** Returns the form of the rows. @throws {Error} the format and the name of the file disagree */
export function listForm(options: ListArguments, otherwise: RowFormat) {
  const { json, limit } = options;
  const format = exportFormat(json ? 'json' : options.format, outputFile(options.output), otherwise);
  return { format, spreadsheetSafe: options.spreadsheetSafe ?? format === 'csv', limit, hasEnvelope: false };
}

/** @throws {Error} what the command line shows */
export function checkList(
  values: ListArguments & Parameters<typeof periodOf>[0],
  otherwise: RowFormat = 'csv',
): void {
  refuseCombinations({ ...values, ...listForm(values, otherwise) }, FORMAT_COMBINATIONS);
  periodOf(values);
  checkWholeNumbers(values, { '--arm': MAX_INTEGER, '--limit': 1_000_000, '--batch-size': 10_000 });
}
