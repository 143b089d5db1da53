/** The forms of records in a file. */
export type FileFormat = 'json' | 'ndjson' | 'csv';

const BY_ENDING: ReadonlyMap<string, FileFormat> = new Map([
  ['json', 'json'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['csv', 'csv'],
]);

/**
 * @param output where an export goes; undefined for standard output
 * @returns the format that is asked for: by `--format`, by the ending of the file, or JSON where neither says anything
 * @throws {Error} the two disagree, or the ending is that of something else
 */
export function exportFormat(format: FileFormat | undefined, output: string | undefined): FileFormat {
  const ending = /[^/\\]\.([A-Za-z0-9]+)$/.exec(output ?? '')?.[1]?.toLowerCase();
  const byEnding = ending === undefined ? undefined : BY_ENDING.get(ending);
  if (format !== undefined && byEnding !== undefined && format !== byEnding)
    throw new Error(`--format ${format} and a file that ends in .${ending} disagree: change one of them`);
  if (format === undefined && ending !== undefined && byEnding === undefined)
    throw new Error('--format is required: the file extension does not say it');
  return format ?? byEnding ?? 'json';
}
