import { ROW_FORMATS, type RowFormat } from '../services/row-output/row-format.js';

const BY_EXTENSION: ReadonlyMap<string, RowFormat> = new Map([
  ...ROW_FORMATS.map((format) => [format, format] as const),
  ['jsonl', 'ndjson'],
]);

/**
 * @param output where an export goes; undefined for standard output
 * @returns the format that is asked for: by `--format`, by the extension of the file, or JSON where neither says anything
 * @throws {Error} the two disagree, or the extension is of no known format
 */
export function exportFormat(format: RowFormat | undefined, output: string | undefined): RowFormat {
  const extension = extensionOf(output ?? '');
  const byExtension = BY_EXTENSION.get(extension);
  if (format !== undefined && byExtension !== undefined && format !== byExtension)
    throw new Error(`--format ${format} and a file that ends in .${extension} disagree: change one of them`);
  if (format === undefined && extension !== '' && byExtension === undefined)
    throw new Error('--format is required: the file extension does not say it');
  return format ?? byExtension ?? 'json';
}

/** @returns the format of a file that is imported, by its extension; NDJSON where that says nothing */
export function importFormat(file: string): RowFormat {
  return BY_EXTENSION.get(extensionOf(file)) ?? 'ndjson';
}

/** In lower case, without the dot; empty for a name without one. */
function extensionOf(path: string): string {
  return /[^/\\]\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
