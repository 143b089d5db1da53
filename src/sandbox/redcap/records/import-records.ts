import { applyRows } from './apply-rows.js';
import { type PlacedRow, placeEavRows, placeFlatRows } from './import-rows.js';
import { type DateOrder, faultsOf, writeFaults } from './import-validation.js';
import { parseImport } from '../../../wire/parse-rows.js';
import { readOdmRecords } from '../../../wire/read-odm.js';
import type { SandboxProject } from '../project.js';
import { type Caller, requireRight } from '../caller.js';
import type { Answer, Format } from '../../../wire/answer.js';
import { ApiFailure, invalidParameter } from '../../../wire/api-failure.js';
import type { Parameters } from '../../../wire/parameters.js';
import { writeCount, writeIds, writeSuccess } from '../../../wire/write-answer.js';
import type { ContentCall } from '../content.js';
import { getNextRecordIds } from './record-actions.js';

/**
 * Imports records: `content=record`. A single error prevents the whole import.
 *
 * @throws {ApiFailure} 400 if the request is invalid, otherwise with one line per invalid cell
 * @see docs/protocol/redcap.md 5 (client, wire)
 */
export async function importRecords(call: ContentCall): Promise<Answer> {
  const { project, parameters, caller, format, returnFormat } = call;
  const options = optionsOf(parameters, project);
  const isOdm = parameters.text('format') === 'odm';
  const data = isOdm
    ? await readOdmRecords(parameters.text('data'), project)
    : parseImport(parameters, format);
  // A single object is not a list: nothing is stored, and the count is 0 (issue).
  if (data === undefined) return resultOf([], options, returnFormat);

  const placed = options.type === 'eav' ? placeEavRows(project, data) : placeFlatRows(project, data);
  const rows = validRows(project, placed, options, caller);
  const pairs = nameRecords(call, rows, options);
  refuseNewRecords(project, rows, caller);
  applyRows(project, rows, { ...options, caller });
  return resultOf(pairs, options, returnFormat);
}

interface ImportOptions {
  readonly type: 'flat' | 'eav';
  readonly isOverwrite: boolean;
  readonly dateOrder: DateOrder;
  readonly isAutoNumbered: boolean;
  readonly isBackground: boolean;
  readonly returnContent: 'count' | 'ids' | 'auto_ids' | 'nothing';
}

/** @see docs/protocol/redcap.md 5.1 (spec, doc) */
function optionsOf(parameters: Parameters, project: SandboxProject): ImportOptions {
  if (parameters.text('data') === '') throw invalidParameter('data');
  const isForced = parameters.flag('forceAutoNumber');
  const options: ImportOptions = {
    type: parameters.text('format') === 'odm' ? 'flat' : parameters.oneOf('type', ['flat', 'eav']),
    isOverwrite: parameters.oneOf('overwriteBehavior', ['normal', 'overwrite']) === 'overwrite',
    dateOrder: parameters.oneOf('dateFormat', ['YMD', 'MDY', 'DMY']),
    isAutoNumbered: isForced && isAutoNumbering(project),
    isBackground: parameters.flag('backgroundProcess'),
    returnContent: parameters.oneOf('returnContent', ['count', 'ids', 'auto_ids', 'nothing']),
  };
  if (options.returnContent === 'auto_ids' && !isForced) throw invalidParameter('returnContent');
  return options;
}

/**
 * Validates the rows. A background import keeps the valid ones; REDCap reports the others by email. Otherwise, any
 * error refuses all rows. (doc, client)
 */
function validRows(
  project: SandboxProject,
  rows: readonly PlacedRow[],
  options: ImportOptions,
  caller: Caller,
): readonly PlacedRow[] {
  const faults = rows.map((row) =>
    faultsOf(project, row, { dateOrder: options.dateOrder, caller, isNew: options.isAutoNumbered }),
  );
  if (options.isBackground) return rows.filter((_row, index) => faults[index]?.length === 0);
  const all = faults.flat();
  if (all.length > 0) throw new ApiFailure(400, writeFaults(all));
  return rows;
}

/**
 * Refuses new records if the caller lacks the right to create them.
 *
 * @throws {ApiFailure} 403
 * @see docs/protocol/redcap.md 3 (doc), 2.1 (choice)
 */
function refuseNewRecords(project: SandboxProject, rows: readonly PlacedRow[], caller: Caller): void {
  const isNew = ({ record }: PlacedRow): boolean => project.records.get(record) === undefined;
  if (rows.some(isNew)) requireRight(caller, 'record_create');
}

/**
 * Names the records of rows: with auto-numbering by new names, while the given ones only group rows, else as sent.
 *
 * @returns pairs of the name and the given one
 * @see docs/protocol/redcap.md 20 (client)
 */
function nameRecords(
  { project, caller }: ContentCall,
  rows: readonly PlacedRow[],
  { isAutoNumbered }: ImportOptions,
): [string, string][] {
  const nameAt = isAutoNumbered ? getNextRecordIds(project, caller.group) : undefined;
  const names = new Map<string, string>();
  for (const row of rows) {
    const name = names.get(row.record) ?? nameAt?.(names.size) ?? row.record;
    names.set(row.record, name);
    row.record = name;
  }
  return [...names].map(([sent, name]) => [name, sent]);
}

function isAutoNumbering(project: SandboxProject): boolean {
  return Number(project.study.project.settings?.record_autonumbering_enabled ?? 1) === 1;
}

/**
 * @param pairs of the names of records and those that were sent
 * @see docs/protocol/redcap.md 5.2 (doc), 5.6 (client): the count is the number of records, not of rows
 */
function resultOf(
  pairs: readonly (readonly [string, string])[],
  options: ImportOptions,
  format: Format,
): Answer {
  const written = (body: string): Answer => ({ kind: 'written', body, format });
  if (options.isBackground) return written(writeSuccess(format));
  const { returnContent } = options;
  if (returnContent === 'nothing') return written('');
  if (returnContent === 'count') return written(writeCount(pairs.length, format));
  const ids = pairs.map((pair) => (returnContent === 'ids' ? pair[0] : pair.join(',')));
  return written(writeIds(ids, format));
}
