import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { Field } from '../../../domain/dictionary/field.js';
import type { Caller } from '../caller.js';
import type { SandboxProject } from '../project.js';
import { refuseUnknown } from '../wire/api-failure.js';
import type { Parameters } from '../wire/parameters.js';

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
 * @throws {ApiFailure} 400 naming unknown fields or forms
 * @see docs/protocol/redcap.md 4.2 (wire, client)
 */
export function selectColumns(
  project: SandboxProject,
  parameters: Parameters,
  caller: Caller,
): ExportSelection {
  const fields = parameters.list('fields');
  const forms = parameters.list('forms')?.map((form) => form.replaceAll(' ', '_'));
  refuseUnknown('fields', fields, (name) => project.hasField(name));
  refuseUnknown('forms', forms, (name) => project.instrument(name) !== undefined);

  const columns = project.columns
    .filter(wanted(fields, forms))
    .filter((column) => mayExport(project, column, caller));
  const hasId = columns.some(({ name }) => name === project.idField);
  const surveyCells = surveyCellsOf(project, parameters, caller);
  return {
    surveyCells,
    columns: columns.filter(({ name }) => name !== project.idField),
    hasId,
    structure: hasId ? structureOf(project, parameters, caller, surveyCells) : [],
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
function mayExport(
  project: SandboxProject,
  { name, field, instrument }: ExportColumn,
  caller: Caller,
): boolean {
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
function structureOf(
  project: SandboxProject,
  parameters: Parameters,
  caller: Caller,
  surveyCells: ReadonlySet<string>,
): string[] {
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
function surveyCellsOf(project: SandboxProject, parameters: Parameters, caller: Caller): ReadonlySet<string> {
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
