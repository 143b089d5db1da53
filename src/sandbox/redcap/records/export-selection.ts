import type { ExportColumn } from '../../../dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import { refuseUnknown } from '../wire/api-failure.js';
import type { Parameters } from '../wire/parameters.js';

/** The columns of one export. */
export interface ExportSelection {
  /** Columns of fields and form status, in dictionary order; the id field is not among them. */
  readonly columns: readonly ExportColumn[];
  /** Whether the id field is exported, and with it the structural columns. */
  readonly hasId: boolean;
  /** The structural columns, in their order; none without the id field. */
  readonly structure: readonly string[];
  /** Fields in the order of the request, for EAV; undefined without `fields`. */
  readonly requested: readonly string[] | undefined;
}

/**
 * Chooses the columns of an export: those of `fields` and `forms` together, in dictionary order whatever the order of the
 * request; the id field, and the structural columns with it, only when it is asked for.
 *
 * @throws {ApiFailure} 400 naming fields or forms that do not exist
 * @see protocol reference 4.2 (wire, client)
 */
export function selectColumns(project: SandboxProject, parameters: Parameters): ExportSelection {
  const fields = parameters.list('fields');
  const forms = parameters.list('forms')?.map((form) => form.replaceAll(' ', '_'));
  refuseUnknown('fields', fields, (name) => project.hasField(name));
  refuseUnknown('forms', forms, (name) => project.instrument(name) !== undefined);

  const columns = project.columns.filter(wanted(fields, forms));
  const hasId = columns.some(({ name }) => name === project.idField);
  return {
    columns: columns.filter(({ name }) => name !== project.idField),
    hasId,
    structure: hasId ? structureOf(project, parameters) : [],
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

/** A sandbox project has no data access groups: `exportDataAccessGroups` is ignored then. (doc) */
function structureOf(project: SandboxProject, parameters: Parameters): string[] {
  const hasSurveyColumn = parameters.flag('exportSurveyFields') && project.study.project.surveysEnabled;
  return [
    ...(project.isLongitudinal ? ['redcap_event_name'] : []),
    ...(project.hasRepeats ? ['redcap_repeat_instrument', 'redcap_repeat_instance'] : []),
    ...(hasSurveyColumn ? ['redcap_survey_identifier'] : []),
  ];
}
