import { ROW_FORMATS, type RowFormat } from '../../records/formats/row-format.js';
import { isWorkbookName } from '../../records/import/workbook/workbook-name.js';

/** Options and arguments that name a file, where `-` means standard input or output. */
const FILES: readonly string[] = ['file', 'output', 'report'];

/**
 * Restores a single `-`, which yargs passes to subcommands and options as an empty text. A text that was really empty,
 * such as an unset variable in a script, is refused by `refuseNamelessFiles`.
 *
 * @param args the command line
 */
export function restoreHyphens(args: readonly string[]): (values: Record<string, unknown>) => void {
  const hasHyphen = args.some((argument) => argument === '-' || /^--?[a-z-]+=-$/.test(argument));
  return (values) => {
    if (!hasHyphen) return;
    for (const name of FILES) if (values[name] === '') values[name] = '-';
  };
}

/** Refuses empty file names, which come from unset variables. */
export function refuseNamelessFiles(values: Readonly<Record<string, unknown>>): true {
  const name = FILES.find((file) => values[file] === '');
  if (name === undefined) return true;
  throw new Error(`${name === 'file' ? 'The file' : `--${name}`} must be named: it is empty`);
}

/** @returns the file to write; undefined for standard output (`-`) */
export function outputFile(output: string | undefined): string | undefined {
  return output === '-' ? undefined : output;
}

const BY_EXTENSION: ReadonlyMap<string, RowFormat> = new Map([
  ...ROW_FORMATS.map((format) => [format, format] as const),
  ['jsonl', 'ndjson'],
]);

/**
 * @param output the path of an export; undefined for standard output
 * @param otherwise the format if neither `--format` nor the file extension says it
 * @throws {Error} the two contradict each other, or the extension is unknown
 */
export function exportFormat(
  format: RowFormat | undefined,
  output: string | undefined,
  otherwise: RowFormat = 'json',
): RowFormat {
  const extension = extensionOf(output ?? '');
  const byExtension = BY_EXTENSION.get(extension);
  if (format !== undefined && byExtension !== undefined && format !== byExtension)
    throw new Error(`--format ${format} and a file that ends in .${extension} disagree: change one of them`);
  if (format === undefined && extension !== '' && byExtension === undefined) throw new Error(FORMAT_UNKNOWN);
  return format ?? byExtension ?? otherwise;
}

/**
 * @param file the path of an imported file; `-` for standard input
 * @returns the format given by `--format`, or else by the file extension; that in which a workbook is read
 * @throws {Error} neither says it, or the extension is that of a workbook that cannot be read
 */
export function importFormat(format: RowFormat | undefined, file: string): RowFormat {
  const extension = extensionOf(file);
  if (isWorkbookName(file)) {
    if (format === undefined) return 'ndjson';
    throw new Error('--format cannot be combined with a workbook');
  }
  const known = format ?? BY_EXTENSION.get(extension);
  if (known !== undefined) return known;
  if (OTHER_WORKBOOKS.has(extension))
    throw new Error('This workbook cannot be imported: save it as .xlsx, or the sheet as CSV (UTF-8)');
  throw new Error(FORMAT_UNKNOWN);
}

const FORMAT_UNKNOWN = '--format is required: the file extension does not say it';
/** The extensions of other workbooks of Excel, LibreOffice and Numbers. */
const OTHER_WORKBOOKS: ReadonlySet<string> = new Set(['xlsb', 'xls', 'ods', 'numbers']);

/** Returns the extension in lower case without the dot; empty if there is none. */
function extensionOf(path: string): string {
  return /[^/\\]\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
