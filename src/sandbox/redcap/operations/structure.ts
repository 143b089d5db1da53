import { DICTIONARY_COLUMNS, toDictionaryRow } from '../../../dictionary/dictionary-csv.js';
import type { SandboxProject } from '../project.js';
import type { Answer, CsvStyle, Row } from '../wire/answer.js';
import { ApiFailure, invalidParameter, refuseUnknown } from '../wire/api-failure.js';
import type { Parameters } from '../wire/parameters.js';

function list(rows: readonly Row[], columns: readonly string[], csv: Partial<CsvStyle> = {}): Answer {
  return {
    kind: 'list',
    columns,
    rows: rows.map((row) => columns.map((column) => row[column] ?? '')),
    root: 'items',
    csv: { hasTrailingLineFeed: true, ...csv },
  };
}

/** @see protocol reference 8.1 (wire) */
export function metadata(project: SandboxProject, parameters: Parameters): Answer {
  const [fields, forms] = [parameters.list('fields'), parameters.list('forms')];
  refuseUnknown('fields', fields, (name) => project.dictionary.field(name) !== undefined);
  refuseUnknown('forms', forms, (name) => project.instrument(name) !== undefined);
  const isWanted = ({ name, instrument }: { name: string; instrument: string }): boolean =>
    (fields === undefined && forms === undefined) ||
    (fields?.includes(name) ?? false) ||
    (forms?.includes(instrument) ?? false);
  return list(project.dictionary.fields.filter(isWanted).map(toDictionaryRow), DICTIONARY_COLUMNS);
}

/** @see protocol reference 8.7 (wire) */
export function instruments(project: SandboxProject): Answer {
  const rows = project.study.instruments.map(({ name, label }) => ({
    instrument_name: name,
    instrument_label: label,
  }));
  // Labels are quoted here, always (wire).
  return list(rows, ['instrument_name', 'instrument_label'], { quotedColumn: 'instrument_label' });
}

/** Calculated fields and form status too; no file and no descriptive field. @see protocol reference 8.6 (client) */
export function exportFieldNames(project: SandboxProject, parameters: Parameters): Answer {
  const [only] = parameters.list('field') ?? [];
  if (only !== undefined && !project.hasField(only)) throw invalidParameter('field');
  const rows = project.columns
    .filter(({ field }) => field?.type !== 'file')
    .map(({ name, field, choice }) => ({
      original_field_name: field?.name ?? name,
      choice_value: choice?.code ?? '',
      export_field_name: name,
    }))
    .filter((row) => only === undefined || row.original_field_name === only);
  return list(rows, ['original_field_name', 'choice_value', 'export_field_name']);
}

/** @see protocol reference 9.1 (client), 2.1 (client) */
export function arms(project: SandboxProject, parameters: Parameters): Answer {
  refuseClassic(project, 'You cannot export arms for classic projects');
  const rows = project.study.arms
    .filter(({ number }) => project.study.events.some(({ armNumber }) => armNumber === number))
    .filter(inArms(parameters, ({ number }) => number))
    .map(({ number, name }) => ({ arm_num: number, name }));
  return list(rows, ['arm_num', 'name'], { hasTrailingLineFeed: false });
}

/** @see protocol reference 9.2 (client), 2.1 (client) */
export function events(project: SandboxProject, parameters: Parameters): Answer {
  refuseClassic(project, 'You cannot export events for classic projects');
  const rows = project.study.events
    .map((event, index) => ({ ...event, id: index + 1 }))
    .filter(inArms(parameters, ({ armNumber }) => armNumber))
    .map(({ label, armNumber, uniqueName, id }) => ({
      event_name: label,
      arm_num: armNumber,
      unique_event_name: uniqueName,
      custom_event_label: '',
      event_id: id,
    }));
  return list(rows, ['event_name', 'arm_num', 'unique_event_name', 'custom_event_label', 'event_id']);
}

/** @see protocol reference 9.3 (wire), 2.1 (client) */
export function formEventMapping(project: SandboxProject, parameters: Parameters): Answer {
  refuseClassic(project, 'You cannot export form/event mappings for classic projects');
  const rows = project.study.mappings
    .map(({ uniqueEventName, instrument }) => ({
      arm_num: project.event(uniqueEventName)?.armNumber ?? 1,
      unique_event_name: uniqueEventName,
      form: instrument,
    }))
    .filter(inArms(parameters, ({ arm_num }) => arm_num));
  return list(rows, ['arm_num', 'unique_event_name', 'form'], { hasTrailingLineFeed: false });
}

/** @see protocol reference 9.4 (client), 2.1 (client) */
export function repeatingFormsEvents(project: SandboxProject): Answer {
  if (!project.hasRepeats) {
    throw new ApiFailure(
      400,
      'You cannot export repeating instruments and events because the project does not contain any repeating instruments and events',
    );
  }
  const rows = project.repeating.map(({ uniqueEventName, instrument, customLabel }) => ({
    ...(project.isLongitudinal && { event_name: uniqueEventName }),
    form_name: instrument,
    custom_form_label: customLabel,
  }));
  const columns = [...(project.isLongitudinal ? ['event_name'] : []), 'form_name', 'custom_form_label'];
  return list(rows, columns, { hasBareBlanks: true });
}

function refuseClassic(project: SandboxProject, text: string): void {
  if (!project.isLongitudinal) throw new ApiFailure(400, text);
}

function inArms<T>(parameters: Parameters, armOf: (item: T) => number): (item: T) => boolean {
  const wanted = parameters.list('arms');
  return (item) => wanted === undefined || wanted.includes(String(armOf(item)));
}
