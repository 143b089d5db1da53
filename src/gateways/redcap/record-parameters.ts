import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { only } from '../../domain/identifiers/check-options.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import type { ImportDataOptions, ImportRow } from './record-import-options.js';
import type { WireParameters } from './wire-parameters.js';
import { SELECTION, type RecordSelection } from './record-export-options.js';

/** Returns the parameters of a record import. @see docs/protocol/redcap.md 5.1 */
export function toImportParameters(data: string | Uint8Array, options: ImportDataOptions): WireParameters {
  return {
    content: 'record',
    action: 'import',
    format: options.format,
    type: options.type ?? 'flat',
    overwriteBehavior: options.overwriteBehavior ?? 'normal',
    forceAutoNumber: options.forceAutoNumber ?? false,
    dateFormat: options.dateFormat,
    csvDelimiter: options.csvDelimiter,
    returnContent: options.returnContent ?? 'count',
    backgroundProcess: options.backgroundProcess,
    // Not copied: a view of the same bytes.
    data: typeof data === 'string' ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength),
  };
}

/**
 * Writes rows as REDCap's import expects them: text and numbers unchanged, `true` and `false` as `1` and `0`, `null` as
 * a blank.
 *
 * @param name what an error calls the rows
 * @throws {InvalidRequestError} a number is not finite, which JSON would turn into a blank, or a value is of another type
 */
export function toImportData(rows: readonly ImportRow[], name = 'rows'): string {
  const problems: FieldProblem[] = [];
  const written = rows.map((row, index) => {
    const entries = Object.entries(row);
    for (const [column, value] of entries) {
      const rule = ruleBrokenBy(value);
      if (rule !== undefined) problems.push({ field: `${name}[${index}].${column}`, message: rule });
    }
    return entries.every(([, value]) => typeof value === 'string')
      ? row
      : Object.fromEntries(entries.map(toCell));
  });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return JSON.stringify(written);
}

/** An undefined value is left out, as in JSON. */
function ruleBrokenBy(value: unknown): string | undefined {
  if (typeof value === 'string' || value === null || value === undefined) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must be a finite number';
  return typeof value === 'boolean' ? undefined : 'must be text, a number, true, false or null';
}

function toCell([name, value]: [string, ImportRow[string]]): [string, string | number] {
  if (value === null) return [name, ''];
  return [name, typeof value === 'boolean' ? (value ? '1' : '0') : value];
}

/** @returns whether storing the rows twice has the same effect as storing them once */
export function isRepeatableImport(
  options: Pick<ImportDataOptions, 'isIdempotent' | 'forceAutoNumber' | 'backgroundProcess'>,
): boolean {
  return options.isIdempotent === true && !options.forceAutoNumber && !options.backgroundProcess;
}

/** Returns the parameters of a record export. @see docs/protocol/redcap.md 4.1 */
export function toExportParameters(selection: RecordSelection): WireParameters {
  const { filterLogic, from, until, type = 'flat', ...others } = only(selection, SELECTION);
  const written = { filterLogic: filterLogic?.toString(), dateRangeBegin: from, dateRangeEnd: until };
  return { content: 'record', action: 'export', type, ...others, ...written };
}
