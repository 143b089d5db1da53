import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { FieldProblem } from '../../errors/field-problem.js';
import type { ImportDataOptions, ImportRow } from './crf-client.js';
import type { WireParameters } from './wire-parameters.js';

/** Returns the parameters of a record import. @see docs/protocol/redcap.md 5.1 */
export function toImportParameters(data: string | Buffer, options: ImportDataOptions): WireParameters {
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
    data,
  };
}

/**
 * Writes rows as REDCap's import expects them: text and numbers unchanged, `true` and `false` as `1` and `0`, `null` as
 * a blank.
 *
 * @throws {InvalidRequestError} a number is not finite; JSON would turn it into a blank
 */
export function toImportData(rows: readonly ImportRow[]): string {
  const problems: FieldProblem[] = [];
  const written = rows.map((row, index) => {
    const entries = Object.entries(row);
    for (const [name, value] of entries) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        problems.push({ field: `rows[${index}].${name}`, message: 'must be a finite number' });
      }
    }
    return entries.every(([, value]) => typeof value === 'string')
      ? row
      : Object.fromEntries(entries.map(toCell));
  });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return JSON.stringify(written);
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
