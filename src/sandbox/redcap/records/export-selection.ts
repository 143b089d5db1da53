import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { Field } from '../../../domain/dictionary/field.js';
import type { ContentCall } from '../content.js';
import type { SandboxProject } from '../project.js';
import { ApiFailure, refuseUnknown } from '../../../wire/api-failure.js';
import type { Parameters } from '../../../wire/parameters.js';
import { createHash } from 'node:crypto';
import type { DocumentPlace } from '../files/document-store.js';
import { type CompiledLogic, LogicError } from '../logic.js';
import { scopeOf } from './logic-scope.js';
import type { StoredRecord, StoredRow } from './record-store.js';

/** The parts of a call that select. */
type Asked = Pick<ContentCall, 'project' | 'parameters' | 'caller'>;

/** The columns of one export. */
export interface ExportSelection {
  /** Columns of fields and form status, in dictionary order, without the ID field. */
  readonly columns: readonly ExportColumn[];
  /** Whether the ID field is exported, which also adds the structural columns. */
  readonly hasId: boolean;
  /** The structural columns in REDCap's order; none without the ID field. */
  readonly structure: readonly string[];
  /** The columns for survey identifier and survey timestamps, if they are requested and the caller may export them. */
  readonly surveyCells: ReadonlySet<string>;
  /** Whether neither `fields` nor `forms` limits the export. */
  readonly isWhole: boolean;
  /** Fields in the order of the request, for EAV; undefined without `fields`. */
  readonly requested: readonly string[] | undefined;
}

/**
 * Selects the columns of an export: all those of `fields` and `forms`, in dictionary order whatever the order of the
 * request. The ID field and the structural columns are included only if the ID field is selected.
 *
 * @param has.hasId whether the ID field is selected whatever is requested
 * @throws {ApiFailure} 400 naming unknown fields or forms
 * @see docs/protocol/redcap.md 4.2 (wire, client)
 */
export function selectColumns(call: Asked, has: { readonly hasId?: boolean } = {}): ExportSelection {
  const { project, parameters } = call;
  const fields = parameters.list('fields');
  const forms = parameters.list('forms')?.map((form) => form.replaceAll(' ', '_'));
  refuseUnknown('fields', fields, (name) => project.hasField(name));
  refuseUnknown('forms', forms, (name) => project.instrument(name) !== undefined);

  const columns = project.structure.columns
    .filter(wanted(fields, forms))
    .filter((column) => mayExport(call, column));
  const hasId = has.hasId === true || columns.some(({ name }) => name === project.idField);
  const surveyCells = surveyCellsOf(call);
  return {
    surveyCells,
    columns: columns.filter(({ name }) => name !== project.idField),
    hasId,
    structure: hasId ? structureOf(call, surveyCells) : [],
    isWhole: fields === undefined && forms === undefined,
    requested: fields,
  };
}

function wanted(
  fields: readonly string[] | undefined,
  forms: readonly string[] | undefined,
): (column: ExportColumn) => boolean {
  if (fields === undefined && forms === undefined) return () => true;
  const [names, instruments] = [new Set(fields), new Set(forms)];
  return ({ name, field, instrument }) => instruments.has(instrument) || names.has(field?.name ?? name);
}

/**
 * Whether a caller may export a column. Right 0 excludes the form, 3 excludes its identifier fields, and 2 also its
 * free text and dates. The ID field is always exported, but its values are hashed with right 2.
 *
 * @see docs/protocol/redcap.md 4.7 (doc, client)
 */
function mayExport({ project, caller }: Asked, { name, field, instrument }: ExportColumn): boolean {
  const right = caller.exportRight(instrument);
  if (name === project.idField || right === 1) return true;
  if (right === 0) return false;
  if (field?.isIdentifier === true) return false;
  return right === 3 || field === undefined || !isFreeText(field);
}

/** Fields that may identify a person: notes, text without validation, dates and files. */
function isFreeText({ type, validationType }: Field): boolean {
  if (type === 'notes' || type === 'file') return true;
  return type === 'text' && (validationType === '' || validationType.startsWith('date'));
}

/**
 * Returns the structural columns. The group column requires that the project has groups and the caller is in none.
 * (doc)
 */
function structureOf({ project, parameters, caller }: Asked, surveyCells: ReadonlySet<string>): string[] {
  const hasGroupColumn =
    parameters.flag('exportDataAccessGroups') && project.groups.length > 0 && caller.group === '';
  return [
    ...(project.isLongitudinal ? ['redcap_event_name'] : []),
    ...(project.hasRepeats ? ['redcap_repeat_instrument', 'redcap_repeat_instance'] : []),
    ...(hasGroupColumn ? ['redcap_data_access_group'] : []),
    ...(surveyCells.has(SURVEY_IDENTIFIER) ? [SURVEY_IDENTIFIER] : []),
  ];
}

/** The column that identifies a participant of surveys. @see docs/protocol/redcap.md 4.2 (wire) */
const SURVEY_IDENTIFIER = 'redcap_survey_identifier';

/**
 * Returns the survey columns. They require full export rights for the form.
 *
 * @see docs/protocol/redcap.md 4.2, item 5 (wire)
 */
function surveyCellsOf({ project, parameters, caller }: Asked): ReadonlySet<string> {
  if (!parameters.flag('exportSurveyFields') || !project.study.project.surveysEnabled) return new Set();
  const idForm = project.study.fields[0]?.instrument ?? '';
  const surveys = (project.study.surveys ?? []).filter(
    ({ instrument }) => caller.exportRight(instrument) === 1,
  );
  return new Set([
    ...(caller.exportRight(idForm) === 1 ? [SURVEY_IDENTIFIER] : []),
    ...surveys.map(({ instrument }) => `${instrument}_timestamp`),
  ]);
}

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
export function selectRows({ project, parameters, caller }: Asked): SelectedRow[] {
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
  return project.records
    .inOrder()
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
    return project.structure.compileLogic(source);
  } catch (error) {
    if (!(error instanceof LogicError)) throw error;
    throw new ApiFailure(400, `The logic in the parameter "filterLogic" is not valid: ${error.reason}`);
  }
}

/**
 * Selects the rows of an export as `selectRows`. If it is de-identified, record IDs become 32 hexadecimal characters.
 *
 * @see docs/protocol/redcap.md 4.7 (doc, client)
 */
export function rowsToExport(call: Asked): readonly SelectedRow[] {
  const { project, caller } = call;
  const rows = selectRows(call);
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
