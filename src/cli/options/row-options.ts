import { CSV_DELIMITERS, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import { ROW_FORMATS } from '../../records/formats/row-format.js';
import type { ArgumentsOf } from '../command.js';
import { choice, flag } from './option.js';

/** `--format` of `crf export` and `crf report`. */
export const exportFormatOption = choice('Default: from the extension of FILE, else json', ROW_FORMATS);

/** How `crf export` and `crf report` write REDCap's values. */
export const rawValueOptions = {
  label: flag('Export choice labels instead of codes'),
  'checkbox-labels': flag(
    'With --label: the label of a checked choice or nothing, not Checked and Unchecked',
  ),
  'header-labels': flag('Field labels instead of names in the header (CSV)'),
  delimiter: choice('CSV delimiter; default: a comma', Object.keys(CSV_DELIMITERS) as CsvDelimiter[]),
  decimal: choice('Decimal character of numbers; default: as stored', ['.', ',']),
  'spreadsheet-safe': flag('Put an apostrophe before cells that look like formulas (CSV)'),
  excel: flag(
    'CSV that opens in Excel with a double click: byte order mark, labels, and the delimiter and decimal character of your locale',
  ),
} as const;

export type RawValueArguments = Pick<
  ArgumentsOf<typeof rawValueOptions>,
  'label' | 'checkboxLabels' | 'headerLabels' | 'delimiter' | 'decimal' | 'spreadsheetSafe' | 'excel'
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
  const { excel, label, checkboxLabels, headerLabels, spreadsheetSafe, delimiter, decimal } = options;
  // A spreadsheet whose decimal character is a comma separates cells by semicolons.
  const localDecimal = excel ? decimalOf(locale) : undefined;
  const localDelimiter = localDecimal === undefined ? undefined : localDecimal === ',' ? ';' : ',';
  const chosen = {
    rawOrLabel: label || excel ? ('label' as const) : undefined,
    rawOrLabelHeaders: headerLabels || excel ? ('label' as const) : undefined,
    exportCheckboxLabel: checkboxLabels || excel || undefined,
    csvDelimiter: delimiter ?? localDelimiter,
    decimalCharacter: decimal ?? localDecimal,
  };
  return { ...chosen, spreadsheetSafe: spreadsheetSafe || excel };
}

function decimalOf(locale: string | undefined): ',' | '.' {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}
