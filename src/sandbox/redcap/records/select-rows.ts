import { createHash } from 'node:crypto';
import type { DocumentPlace } from '../files/document-store.js';
import { type CompiledLogic, LogicError } from '../logic.js';
import type { Caller } from '../caller.js';
import type { SandboxProject } from '../project.js';
import { ApiFailure, refuseUnknown } from '../wire/api-failure.js';
import type { Parameters } from '../wire/parameters.js';
import { scopeOf } from './logic-scope.js';
import type { StoredRecord, StoredRow } from './record-store.js';

/** One row of an export, with its record. */
export interface SelectedRow {
  readonly record: StoredRecord;
  readonly row: StoredRow;
  /** The record ID under which files are stored, if the export has another one. */
  readonly storedId?: string;
}

/** Returns where the file of a file field on a row is stored. */
export function documentPlaceOf(
  { record, row, storedId = record.id }: SelectedRow,
  field: string,
): DocumentPlace {
  return { record: storedId, event: row.event, instrument: row.instrument, instance: row.instance, field };
}

/**
 * Selects the rows of an export. Records are in natural order. Within a record, the base rows come first, in event
 * order, then the repeating rows by event, instrument and instance.
 *
 * @throws {ApiFailure} 400 for unknown events and for invalid logic
 * @see docs/protocol/redcap.md 4.1, 4.3 (wire, client)
 */
export function selectRows(project: SandboxProject, parameters: Parameters, caller: Caller): SelectedRow[] {
  const events = project.isLongitudinal ? parameters.list('events') : undefined;
  refuseUnknown('events', events, (name) => project.event(name) !== undefined);
  const logic = compiled(project, parameters.text('filterLogic'));
  const eventSet = events && new Set(events);

  const records = recordsOf(project, parameters).filter((record) => caller.sees(record));
  return records.flatMap((record) =>
    orderedRows(project, record)
      .filter((row) => eventSet === undefined || eventSet.has(row.event))
      .filter((row) => logic === undefined || logic.isTrue(scopeOf(project, record, row)))
      .map((row) => ({ record, row })),
  );
}

/**
 * Ignores unknown records. The date range applies to the time of the last change, and includes both of its ends.
 *
 * @see docs/protocol/redcap.md 20 (client for the end, inferred for the beginning)
 */
function recordsOf(project: SandboxProject, parameters: Parameters): readonly StoredRecord[] {
  const ids = parameters.list('records');
  const [begin, end] = [momentIn(parameters, 'dateRangeBegin'), momentIn(parameters, 'dateRangeEnd')];
  const wanted = ids && new Set(ids);
  return project.faults
    .forExport(project.records.inOrder())
    .filter(
      (record) =>
        (wanted === undefined || wanted.has(record.id)) &&
        (begin === '' || record.changedAt >= begin) &&
        (end === '' || record.changedAt <= end),
    );
}

/** Returns the second in a parameter, empty if it is not given. A shorter time is the first second of its day or minute. */
function momentIn(parameters: Parameters, name: string): string {
  const text = parameters.text(name).trim();
  return text === '' ? '' : text + '0000-00-00 00:00:00'.slice(text.length);
}

function orderedRows(project: SandboxProject, record: StoredRecord): StoredRow[] {
  const all = [...record.rows];
  // Events that were never saved have no row. @see docs/protocol/redcap.md 4.3 (wire), 20 (client)
  const filled = all.filter(
    ({ values, instance }) => values.size > 0 || (project.isLongitudinal && instance === 0),
  );
  const rows = filled.length > 0 ? filled : all;
  // A record without any values still has a row (client).
  if (rows.length === 0)
    return [{ event: project.firstEvent, instrument: '', instance: 0, values: new Map() }];
  if (rows.length === 1) return rows;
  return rows.sort(
    (left, right) =>
      Number(left.instance > 0) - Number(right.instance > 0) ||
      project.eventOrder(left.event) - project.eventOrder(right.event) ||
      project.instrumentOrder(left.instrument) - project.instrumentOrder(right.instrument) ||
      left.instance - right.instance,
  );
}

function compiled(project: SandboxProject, source: string): CompiledLogic | undefined {
  if (source.trim() === '') return undefined;
  try {
    return project.compileLogic(source);
  } catch (error) {
    if (!(error instanceof LogicError)) throw error;
    throw new ApiFailure(400, `The logic in the parameter "filterLogic" is not valid: ${error.reason}`);
  }
}

/**
 * Replaces record IDs by 32 hexadecimal characters if the caller's export is de-identified.
 *
 * @see docs/protocol/redcap.md 4.7 (doc, client)
 */
export function hashedIds(
  rows: readonly SelectedRow[],
  project: SandboxProject,
  caller: Caller,
): readonly SelectedRow[] {
  const instrument = project.study.fields[0]?.instrument ?? '';
  if (caller.exportRight(instrument) !== 2) return rows;
  const hashed = new Map<StoredRecord, StoredRecord>();
  return rows.map(({ record, row }) => {
    const known = hashed.get(record) ?? record.renamed(hashOf(record.id, project), record.changedAt);
    hashed.set(record, known);
    return { record: known, row, storedId: record.id };
  });
}

function hashOf(id: string, project: SandboxProject): string {
  return createHash('md5')
    .update(`${project.id}\n${project.study.project.creationTime}\n${id}`)
    .digest('hex');
}
