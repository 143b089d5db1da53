import { nearestName } from '../errors/nearest-name.js';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { isObject } from '../errors/check-options.js';
import type {
  CallOptions,
  ImportRecordsOptions,
  StreamRecordsOptions,
} from '../gateways/redcap/crf-client.js';
import type { AuditedOptions } from '../services/audit/audit-entry.js';

const CALL: Names<CallOptions & AuditedOptions> = {
  signal: true,
  caller: true,
  traceparent: true,
  audit: true,
};

/** The options of `exportRecords` and `streamRecords`. */
export const EXPORT_OPTIONS: Names<StreamRecordsOptions & AuditedOptions> = {
  ...CALL,
  records: true,
  fields: true,
  forms: true,
  events: true,
  filterLogic: true,
  type: true,
  rawOrLabel: true,
  rawOrLabelHeaders: true,
  exportCheckboxLabel: true,
  exportSurveyFields: true,
  exportDataAccessGroups: true,
  dateRangeBegin: true,
  dateRangeEnd: true,
  csvDelimiter: true,
  decimalCharacter: true,
  exportBlankForGrayFormStatus: true,
  combineCheckboxOptions: true,
  limit: true,
  batchSize: true,
  concurrency: true,
  onProgress: true,
};

/** The options of `importRecords` and `importRows`. */
export const IMPORT_OPTIONS: Names<ImportRecordsOptions & AuditedOptions> = {
  ...CALL,
  type: true,
  overwriteBehavior: true,
  forceAutoNumber: true,
  dateFormat: true,
  returnContent: true,
  backgroundProcess: true,
  isIdempotent: true,
};

type Names<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Refuses options that do not exist. TypeScript does so too, but from JavaScript a misspelt `field` would export every
 * field.
 *
 * @throws {InvalidRequestError} names every unknown option, and the one that was most likely meant
 */
export function refuseUnknownOptions(options: unknown, known: Readonly<Record<string, true>>): void {
  if (!isObject(options)) throw new InvalidRequestError([{ field: 'options', message: 'must be an object' }]);
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  throw new InvalidRequestError(
    unknown.map((name) => {
      const meant = nearestName(name, Object.keys(known));
      return {
        field: name,
        message: `is not an option${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      };
    }),
  );
}
