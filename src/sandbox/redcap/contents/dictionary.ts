import { DICTIONARY_COLUMNS, toDictionaryRow, toField } from '../../../domain/dictionary/dictionary-csv.js';
import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { Field } from '../../../domain/dictionary/field.js';
import { TEXT_VALIDATIONS } from '../../../domain/dictionary/text-validations.js';
import { isFieldName, isInstrumentName } from '../../../domain/identifiers/names.js';
import type { ContentCall } from '../content.js';
import { dataRows, type DataRow } from '../call-rules.js';
import type { SandboxProject } from '../project.js';
import { type Answer, integerAnswer, listAnswer, tableAnswer } from '../../../wire/answer.js';
import { ApiFailure, invalidParameter, refuseUnknown } from '../../../wire/api-failure.js';

/** @see docs/protocol/redcap.md 8.1 (wire) */
export function exportDictionary({ project, parameters }: ContentCall): Answer {
  const [fields, forms] = [parameters.list('fields'), parameters.list('forms')];
  refuseUnknown('fields', fields, (name) => project.dictionary.field(name) !== undefined);
  refuseUnknown('forms', forms, (name) => project.instrument(name) !== undefined);
  const isWanted = ({ name, instrument }: { name: string; instrument: string }): boolean =>
    (fields === undefined && forms === undefined) ||
    (fields?.includes(name) ?? false) ||
    (forms?.includes(instrument) ?? false);
  return listAnswer(project.dictionary.fields.filter(isWanted).map(toDictionaryRow), DICTIONARY_COLUMNS);
}

/**
 * Replaces the whole dictionary; fields that are not sent are removed. Answers with the number of fields.
 *
 * @see docs/protocol/redcap.md 8.8 (doc, client)
 */
export function importDictionary(call: ContentCall): Answer {
  const fields = readDictionary(dataRows(call));
  replaceDictionary(call.project, fields);
  return integerAnswer(fields.length, call);
}

/**
 * Includes calculated fields and form status, but no file or descriptive fields.
 *
 * @see docs/protocol/redcap.md 8.6 (client)
 */
export function exportFieldNames({ project, parameters }: ContentCall): Answer {
  const [only] = parameters.list('field') ?? [];
  if (only !== undefined && !project.hasField(only)) throw invalidParameter('field');
  const columns = project.structure.columns
    .filter(({ field }) => field?.type !== 'file')
    .filter(({ name, field }) => only === undefined || (field?.name ?? name) === only);
  return tableAnswer<ExportColumn>(columns, {
    original_field_name: ({ name, field }) => field?.name ?? name,
    choice_value: ({ choice }) => choice?.code ?? '',
    export_field_name: ({ name }) => name,
  });
}

/** The text validation types of the server. @see docs/protocol/redcap.md 8.5 (client) */
export function exportValidations(): Answer {
  const rows = [...TEXT_VALIDATIONS].sort(([left], [right]) => (left < right ? -1 : 1));
  return tableAnswer(rows, {
    validation_type: ([name]) => name,
    regex: ([, { pattern }]) => String(pattern),
  });
}

const TYPES: ReadonlySet<string> = new Set([
  'text',
  'notes',
  'radio',
  'dropdown',
  'calc',
  'file',
  'checkbox',
  'yesno',
  'truefalse',
  'descriptive',
  'slider',
  'sql',
]);

/**
 * Reads the rows of an imported data dictionary. Error messages name cells as in a spreadsheet: `A2` is the name of the
 * first field.
 *
 * @throws {ApiFailure} 400 with one line per violated rule
 * @see docs/protocol/redcap.md 2.4 (wire, issue)
 */
function readDictionary(rows: readonly DataRow[]): Field[] {
  const fields = rows.map((row) => toField((name) => row(name)));
  /** Returns the cells of fields, as in a spreadsheet, whose first row is the header. */
  const cells = (column: string, isWrong: (field: Field) => boolean): string[] =>
    fields.flatMap((field, index) => (isWrong(field) ? [`${column}${index + 2}`] : []));
  const unless = (names: readonly string[], text: string, end = ''): string[] =>
    names.length === 0 ? [] : [`${text} ${names.join(', ')}${end}`];
  const places = new Map<string, string[]>();
  for (const [index, { name }] of fields.entries())
    if (name !== '') places.set(name, [...(places.get(name) ?? []), `A${index + 2}`]);
  const repeated = [...places].filter(([, at]) => at.length > 1);
  const faults = [
    ...unless(
      cells('A', ({ name }) => name === ''),
      'Each row MUST have a variable/field name, but the following cells have a field name missing:',
      '.',
    ),
    ...unless(
      cells('B', ({ instrument }) => instrument === ''),
      'Each row MUST have a form name, but the following cells have a form name missing:',
      '.',
    ),
    ...unless(
      cells('I', lacksValidation),
      'A field validation type is required in order to have a minimum or maximum validation value. The following cells are missing a validation type:',
    ),
    ...unless(
      repeated.map(([name, at]) => `${name} (${at.join(', ')})`),
      'The following variable/field names were duplicated. Please rename these field names so that they only appear once.',
    ),
    ...nonConsecutiveForms(fields),
    ...(fields.every(({ type }) => TYPES.has(type))
      ? []
      : [
          'The only valid field types are text, notes, radio, dropdown, calc, file, checkbox, yesno, truefalse, descriptive, slider',
        ]),
    // The server's actual message is unknown (choice).
    ...unless(
      fields.flatMap(({ name, instrument }, index) => [
        ...(name === '' || isFieldName(name) ? [] : [`A${index + 2}`]),
        ...(instrument === '' || isInstrumentName(instrument) ? [] : [`B${index + 2}`]),
      ]),
      'The following cells hold names that are not valid:',
    ),
  ];
  if (fields.length === 0) faults.push('The data dictionary has no fields.');
  else if (fields[0]?.type !== 'text')
    faults.push('The first field must be a text field: it holds the record ID.');
  if (faults.length > 0) throw new ApiFailure(400, faults.join('\n'));
  return fields;
}

function lacksValidation({ type, validationType, validationMin, validationMax }: Field): boolean {
  return type === 'text' && validationType === '' && `${validationMin}${validationMax}` !== '';
}

/** Checks that the rows of each form are consecutive. */
function nonConsecutiveForms(fields: readonly Field[]): string[] {
  const seen = new Set<string>();
  let last = '';
  for (const { instrument } of fields) {
    if (instrument !== last && seen.has(instrument)) {
      return [`Form names must be sequential and cannot repeat: ${instrument}`];
    }
    seen.add(instrument);
    last = instrument;
  }
  return [];
}

/**
 * Replaces the data dictionary of a project. Instruments that remain keep their labels, events and repeats. Values of
 * removed fields stay stored but are not exported, as on a real server.
 *
 * @see docs/protocol/redcap.md 8.8 (doc, issue)
 */
function replaceDictionary(project: SandboxProject, fields: readonly Field[]): void {
  const names = [...new Set(fields.map(({ instrument }) => instrument))];
  const isKept = ({ instrument }: { readonly instrument: string }): boolean =>
    instrument === '' || names.includes(instrument);
  const { study } = project;
  project.redesign({
    fields,
    instruments: names.map((name) => ({ name, label: project.instrument(name)?.label ?? labelOf(name) })),
    mappings: study.mappings.filter(isKept),
    repeating: study.repeating.filter(isKept),
    surveys: study.surveys?.filter(isKept),
  });
}

/**
 * Makes a label like REDCap does for instruments without one: `clinical_assessment` is `Clinical Assessment`.
 * (inferred)
 */
function labelOf(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
