import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { ImportRequest } from './import-request.js';

/** Options that may accompany `records` in a JSON body, with their allowed values. */
const OPTIONS: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['dryRun', [true, false]],
  ['overwriteBehavior', ['normal', 'overwrite']],
  ['forceAutoNumber', [true, false]],
  ['dateFormat', ['YMD', 'MDY', 'DMY']],
  ['returnContent', ['count', 'ids', 'auto_ids']],
  ['type', ['flat', 'eav']],
  ['backgroundProcess', [true, false]],
  ['limits', ['warn', 'refuse']],
  ['keepMisfits', [true, false]],
]);

/** @returns whether a property may accompany `records` */
export function isImportOption(name: string): boolean {
  return OPTIONS.has(name);
}

/**
 * Adds an option from the body to the request.
 *
 * @throws {InvalidRequestError} the value is not allowed for the option, or differs from the one in the URL
 */
export function withOption(request: ImportRequest, name: string, value: unknown): ImportRequest {
  const allowed = OPTIONS.get(name);
  if (allowed === undefined) throw unknownOption(name);
  if (!allowed.includes(value)) {
    throw new InvalidRequestError([{ field: name, message: `must be one of ${allowed.join(', ')}` }]);
  }
  const known = new Map<string, unknown>(Object.entries(request)).get(name);
  if (known !== undefined && known !== value) {
    throw new InvalidRequestError([{ field: name, message: 'must not differ between the URL and the body' }]);
  }
  return { ...request, [name]: value };
}

/**
 * Refuses options that cannot be combined.
 *
 * @throws {InvalidRequestError} names the option
 */
export function checkOptions(request: ImportRequest): void {
  const { returnContent, forceAutoNumber, csvDelimiter, format } = request;
  if (returnContent === 'auto_ids' && !forceAutoNumber) {
    throw new InvalidRequestError([{ field: 'returnContent', message: 'auto_ids needs forceAutoNumber' }]);
  }
  if (csvDelimiter !== undefined && format !== 'csv') {
    throw new InvalidRequestError([{ field: 'csvDelimiter', message: 'needs a CSV body' }]);
  }
  if (request.values === 'typed') checkTypedOptions(request);
}

/** Refuses options that concern text only. */
function checkTypedOptions({ format, type, dateFormat }: ImportRequest): void {
  if (format === 'csv')
    throw new InvalidRequestError([
      { field: 'values', message: 'must be raw for CSV: typed values need JSON or NDJSON' },
    ]);
  if (type === 'eav')
    throw new InvalidRequestError([{ field: 'type', message: 'must be flat for typed values' }]);
  if (dateFormat !== undefined && dateFormat !== 'YMD')
    throw new InvalidRequestError([{ field: 'dateFormat', message: 'must be YMD for typed values' }]);
}

/** Creates the error for an unknown property. Its name is repeated only if it looks like a property name. */
export function unknownOption(name: string): InvalidRequestError {
  const field = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) ? name : 'a property beside records';
  return new InvalidRequestError([{ field, message: 'is not a property of an import' }]);
}
