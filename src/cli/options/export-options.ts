import { CSV_DELIMITERS, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import { ROW_FORMATS, type RowFormat } from '../../records/formats/row-format.js';
import type { ArgumentsOf } from '../command.js';
import type { Combination } from './combinations.js';
import { exportFormat } from './file-options.js';
import { choice, flag, number, text, texts, value } from './option.js';
import { asOptions, completeFileOption, periodOptions } from './shared-options.js';

/** `--format` of `crf export` and `crf reports get`. */
export const exportFormatOption = choice('Default: from the extension of FILE, else json', ROW_FORMATS);

/** How `crf export` and `crf reports get` write REDCap's values. */
export const rawValueOptions = {
  'raw-or-label': choice('Codes of choices, or their labels; default: raw', ['raw', 'label']),
  'export-checkbox-label': flag(
    'With --raw-or-label label: the label of a checked choice or nothing, not Checked and Unchecked',
  ),
  'raw-or-label-headers': choice('Names of fields in the header, or their labels (CSV); default: raw', [
    'raw',
    'label',
  ]),
  'csv-delimiter': choice('CSV delimiter; default: a comma', Object.keys(CSV_DELIMITERS) as CsvDelimiter[]),
  'decimal-character': choice('Decimal character of numbers; default: as stored', ['.', ',']),
  'spreadsheet-safe': flag('Put an apostrophe before cells that look like formulas (CSV)'),
  excel: flag(
    'CSV that opens in Excel with a double click: byte order mark, labels, and the delimiter and decimal character of your locale',
  ),
} as const;

export type RawValueArguments = Pick<
  ArgumentsOf<typeof rawValueOptions>,
  | 'rawOrLabel'
  | 'rawOrLabelHeaders'
  | 'exportCheckboxLabel'
  | 'csvDelimiter'
  | 'decimalCharacter'
  | 'spreadsheetSafe'
  | 'excel'
>;

/** The first character of a file by which Excel recognizes UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Returns the form of REDCap's values, by the names of the client. `--excel` is what a person would choose for a
 * spreadsheet; the delimiter and the decimal character that are given come first.
 *
 * @param locale whose decimal character a spreadsheet expects, such as `de-DE`; that of the system by default
 */
export function valueForm(options: RawValueArguments, locale?: string) {
  const { excel, spreadsheetSafe, csvDelimiter, decimalCharacter } = options;
  // A spreadsheet whose decimal character is a comma separates cells by semicolons.
  const localDecimal = excel ? decimalOf(locale) : undefined;
  const localDelimiter = localDecimal === undefined ? undefined : localDecimal === ',' ? ';' : ',';
  const chosen = {
    rawOrLabel: excel ? ('label' as const) : options.rawOrLabel,
    rawOrLabelHeaders: excel ? ('label' as const) : options.rawOrLabelHeaders,
    exportCheckboxLabel: options.exportCheckboxLabel || excel || undefined,
    csvDelimiter: csvDelimiter ?? localDelimiter,
    decimalCharacter: decimalCharacter ?? localDecimal,
  };
  return { ...chosen, spreadsheetSafe: spreadsheetSafe || excel };
}

function decimalOf(locale: string | undefined): ',' | '.' {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}

/** The options of `crf export`. */
export const exportArgs = {
  format: exportFormatOption,
  fields: texts('Only these fields, and the record id'),
  forms: texts('Only the fields of these instruments and the record id, in addition to --fields'),
  records: texts('Only these records'),
  events: texts('Only these events'),
  'filter-logic': text('Only records for which this filter logic is true'),
  ...periodOptions('Only records created or changed'),
  type: choice('flat: a row per record; eav: a row per value', ['flat', 'eav']),
  instrument: text('Only the rows of this instrument, with its columns alone'),
  values: choice('Text as REDCap has it, or numbers, booleans, lists and null', ['raw', 'typed'], {
    default: 'raw',
  }),
  labels: flag('With typed values: codes with their labels'),
  missing: choice(
    'With typed values: missing data codes as {"missing": …} (code) or as null; default: code',
    ['code', 'null'],
  ),
  ...rawValueOptions,
  'export-survey-fields': flag('Add survey identifiers and timestamps'),
  'export-data-access-groups': flag('Add data access groups'),
  'export-blank-for-gray-form-status': flag(
    'Leave the form status of instruments that were never saved blank, instead of 0',
  ),
  'combine-checkbox-options': flag('One column per checkbox field (REDCap 16 or later)'),
  trailer: flag('Add a last line that shows that the export is complete (NDJSON)'),
  'batch-size': number('Records per call to REDCap; default: everything in one call'),
  limit: number('Only this many rows from the beginning'),
  ...asOptions,
  manifest: value('With --as: write to this file what de-identification did to which columns'),
  workbook: value('Write a workbook (.xlsx) with a sheet for each instrument and a codebook; held in memory'),
  output: completeFileOption('export'),
  resume: flag('Resume an interrupted export to the same file (NDJSON)'),
  force: flag('Replace FILE and any partial FILE.part'),
} as const;

export type ExportArguments = ArgumentsOf<typeof exportArgs>;

/** Which of the options exclude each other, or need each other, as they are given. */
export const EXPORT_COMBINATIONS: readonly Combination[] = [
  { option: 'workbook', not: 'output' },
  {
    option: 'workbook',
    not: [
      ...['fields', 'instrument', 'format', 'type', 'values=typed', 'labels', 'missing'],
      ...Object.keys(rawValueOptions),
      ...['export-survey-fields', 'export-data-access-groups', 'combine-checkbox-options'],
      ...['trailer', 'limit', 'resume'],
    ],
    why: 'it has raw values of whole instruments',
  },
  { option: 'instrument', not: ['fields', 'forms'] },
  {
    option: 'instrument',
    not: ['raw-or-label=label', 'excel'],
    why: ({ instrument }) =>
      `use --forms ${String(instrument)} --raw-or-label label, or --values typed --labels, as JSON or NDJSON`,
  },
  { option: 'values=typed', not: ['raw-or-label=label', 'excel'], why: 'use --labels, as JSON or NDJSON' },
  { option: 'resume', not: ['instrument', 'values=typed'], why: 'it is for raw values of all instruments' },
  { option: 'resume', not: ['trailer', 'as', 'limit'] },
  { option: ['missing', 'labels'], needs: 'values=typed' },
  { option: ['policy', 'manifest'], needs: 'as' },
  { option: 'manifest', not: 'limit', why: 'it describes a whole export' },
];

/** Those that depend on the format of the file. */
export const FORMAT_COMBINATIONS: readonly Combination[] = [
  {
    option: ['excel', 'spreadsheet-safe', 'raw-or-label-headers=label', 'csv-delimiter'],
    needs: 'format=csv',
  },
  { option: 'trailer', needs: 'format=ndjson' },
  { option: 'resume', needs: ['output', 'format=ndjson'] },
];

/** Returns the format of an export: that which is given, or that of the file. `--excel` is a form of CSV. */
export function rowFormat({
  format,
  excel,
  output,
}: {
  readonly format?: ExportArguments['format'];
  readonly excel: boolean;
  readonly output?: string | undefined;
}): RowFormat {
  return exportFormat(format ?? (excel ? 'csv' : undefined), output);
}
