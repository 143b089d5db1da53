import type { ExportColumn } from '../../../dictionary/export-column.js';
import { formStatusName } from '../../../dictionary/export-column.js';
import { ApiFailure } from '../wire/answer.js';
import type { Parameters } from '../wire/parameters.js';
import type { SandboxProject } from '../project.js';

/** The columns of one export. */
export interface ExportSelection {
  /** Columns of fields and form status, in dictionary order; the id field is not among them. */
  readonly columns: readonly ExportColumn[];
  /** Whether the id field is exported, and with it the structural columns. */
  readonly hasId: boolean;
  /** The structural columns, in their order. */
  readonly structure: readonly string[];
  /** Fields in the order of the request, for EAV; undefined without `fields`. */
  readonly requested: readonly string[] | undefined;
}

/**
 * Chooses the columns of an export: those of `fields` and `forms` together, in dictionary order whatever the order of the
 * request; the id field, and the structural columns with it, only when it is asked for.
 *
 * @throws {ApiFailure} 400 naming fields, forms or events that do not exist
 * @see protocol reference 4.2 (wire, client)
 */
export function selectColumns(project: SandboxProject, parameters: Parameters): ExportSelection {
  const fields = parameters.list('fields');
  const forms = parameters.list('forms')?.map((form) => form.replaceAll(' ', '_'));
  refuseUnknown('fields', fields, (name) => isField(project, name));
  refuseUnknown('forms', forms, (name) => project.instrument(name) !== undefined);

  const isWanted = wanted(fields, forms);
  const idColumn = project.columns.find(({ name }) => name === project.idField);
  const hasId = idColumn !== undefined && isWanted(idColumn);
  return {
    columns: project.columns.filter((column) => column !== idColumn && isWanted(column)),
    hasId,
    structure: hasId ? structureOf(project, parameters) : [],
    requested: fields,
  };
}

/** @throws {ApiFailure} 400 with the names that are not known. @see protocol reference 2.2 (client) */
export function refuseUnknown(
  parameter: string,
  names: readonly string[] | undefined,
  isKnown: (name: string) => boolean,
): void {
  const unknown = names?.filter((name) => !isKnown(name)) ?? [];
  if (unknown.length === 0) return;
  const list = unknown.map((name) => `'${name}'`).join(', ');
  throw new ApiFailure(400, `The following values in the parameter "${parameter}" are not valid: ${list}`);
}

/** A field of the dictionary, descriptive ones too, or the status of an instrument; not a checkbox's column. */
function isField(project: SandboxProject, name: string): boolean {
  return (
    project.dictionary.field(name) !== undefined ||
    project.study.instruments.some((instrument) => formStatusName(instrument.name) === name)
  );
}

function wanted(
  fields: string[] | undefined,
  forms: string[] | undefined,
): (column: ExportColumn) => boolean {
  if (fields === undefined && forms === undefined) return () => true;
  const names = new Set(fields);
  const instruments = new Set(forms);
  return ({ name, field, instrument }) => instruments.has(instrument) || names.has(field?.name ?? name);
}

function structureOf(project: SandboxProject, parameters: Parameters): string[] {
  return [
    ...(project.isLongitudinal ? ['redcap_event_name'] : []),
    ...(project.hasRepeats ? ['redcap_repeat_instrument', 'redcap_repeat_instance'] : []),
    ...(parameters.flag('exportSurveyFields') && project.study.project.surveysEnabled
      ? ['redcap_survey_identifier']
      : []),
  ];
}
