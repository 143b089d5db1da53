import type { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { NotInPolicyError } from '../../domain/errors/access-errors.js';
import type { CallOptions, CrfCalls } from '../../gateways/redcap/crf-client.js';
import { keptFields } from '../column-access.js';
import { NO_RECORD } from '../hidden-names.js';
import type { ProjectView } from '../project-view.js';
import { RecordExports } from '../record-exports.js';
import { RecordWrites } from '../record-writes.js';
import { filesOf } from './files.js';
import { reportsOf } from './reports.js';

type RecordCalls = Pick<
  CrfCalls,
  'exportRecords' | 'openRecords' | 'importData' | 'checkImport' | 'records' | 'files' | 'reports'
>;

/** The records of a view, their files, and the reports about them. */
export function recordsOf(calls: CrfCalls, view: ProjectView): RecordCalls {
  const exports = new RecordExports(calls, view);
  const writes = new RecordWrites(calls, view, exports);
  return {
    exportRecords: (options) => exports.export(options),
    openRecords: (options) => exports.open(options),
    importData: (data, options) => writes.import(data, options),
    checkImport: async (data, options) => void (await writes.check(await data(), options)),
    records: actionsOf(calls, view, exports),
    files: filesOf(calls, view, exports),
    reports: reportsOf(calls, view, exports),
  };
}

/** Whether nothing of a record is hidden in a view, and all of it may be changed. */
export function isWhole(
  view: Pick<ProjectView, 'deidentify' | 'events' | 'forms' | 'fields'>,
  { fields, instruments, recordIdField }: DataDictionary,
): boolean {
  return (
    view.deidentify === undefined &&
    view.events === undefined &&
    instruments.every((form) => view.forms.get(form) === 'write') &&
    fields.every((field) => field === recordIdField || view.fields.get(field.name) === 'write')
  );
}

/**
 * What changes a record as a whole. It also changes what is not shown of the record, and so a view in which anything is
 * hidden, or may be read only, has none of it.
 */
function actionsOf(calls: CrfCalls, view: ProjectView, exports: RecordExports): CrfCalls['records'] {
  /** @throws {NotInPolicyError} a form or a field is not writable */
  const requireWhole = async ({ signal, caller, traceparent }: CallOptions): Promise<void> => {
    const { whole } = await exports.structures({ signal, caller, traceparent });
    if (!isWhole(view, whole.dictionary)) throw new NotInPolicyError();
  };
  const keepsFields = async ({ signal, caller, traceparent }: CallOptions): Promise<boolean> =>
    (await keptFields(calls, view, { signal, caller, traceparent })).size > 0;
  return {
    delete: async (records, options = {}) => {
      await requireWhole(options);
      const { arm, instrument, event, instance, deleteLogging } = options;
      // The log is that of all callers, and what nobody may change goes with the record only.
      const isPart = [arm, instrument, event, instance].some((part) => part !== undefined);
      if (deleteLogging === true || (isPart && (await keepsFields(options)))) throw new NotInPolicyError();
      const known = await exports.known(records, options);
      // If one does not exist, REDCap deletes none.
      return calls.records.delete(
        records.map((id) => (known.has(id) ? id : NO_RECORD)),
        options,
      );
    },
    rename: async (record, newRecord, options = {}) => {
      await requireWhole(options);
      const { create, deciding } = view;
      const { shown } = await exports.structures(options);
      const isOfName = deciding.has(shown.dictionary.recordIdField?.name ?? '');
      if (create.kind !== 'prefix' || !newRecord.startsWith(create.prefix) || isOfName)
        throw new NotInPolicyError();
      if (!(await exports.has(record, options))) throw new ProblemError('record_not_found');
      return calls.records.rename(record, newRecord, options);
    },
    randomize: async (record, randomizationId, options = {}) => {
      await requireWhole(options);
      // Which field gets a value, only REDCap knows.
      if (await keepsFields(options)) throw new NotInPolicyError();
      if (!(await exports.has(record, options))) throw new ProblemError('record_not_found');
      return calls.records.randomize(record, randomizationId, options);
    },
    // The next number tells how many records there are: a policy that grants it says so.
    nextId: async (options) => {
      if (view.create.kind !== 'auto' || view.deidentify !== undefined) throw new NotInPolicyError();
      return calls.records.nextId(options);
    },
  };
}
