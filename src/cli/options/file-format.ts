import { ROW_FORMATS, type RowFormat } from '../../services/row-output/row-format.js';

const BY_EXTENSION: ReadonlyMap<string, RowFormat> = new Map([
  ...ROW_FORMATS.map((format) => [format, format] as const),
  ['jsonl', 'ndjson'],
]);

/**
 * @param output the path of an export; undefined for standard output
 * @returns the format given by `--format` or the file extension; JSON if neither is given
 * @throws {Error} the two contradict each other, or the extension is unknown
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

/** @returns the format of an imported file, by its extension; NDJSON if that is unknown */
export function importFormat(file: string): RowFormat {
  return BY_EXTENSION.get(extensionOf(file)) ?? 'ndjson';
}

/** Returns the extension in lower case without the dot; empty if there is none. */
function extensionOf(path: string): string {
  return /[^/\\]\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
