import { toField } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
import { isFieldName, isInstrumentName } from '../../domain/identifiers/names.js';
import type { DataRow } from './data-rows.js';
import { ApiFailure } from './wire/api-failure.js';
import type { SandboxProject } from './project.js';

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
export function readDictionary(rows: readonly DataRow[]): Field[] {
  const fields = rows.map((row) => toField((name) => row(name)));
  const faults = [
    missing(
      fields,
      'A',
      'Each row MUST have a variable/field name, but the following cells have a field name missing:',
      ({ name }) => name === '',
    ),
    missing(
      fields,
      'B',
      'Each row MUST have a form name, but the following cells have a form name missing:',
      ({ instrument }) => instrument === '',
    ),
    missing(
      fields,
      'I',
      'A field validation type is required in order to have a minimum or maximum validation value. The following cells are missing a validation type:',
      ({ type, validationType, validationMin, validationMax }) =>
        type === 'text' && validationType === '' && `${validationMin}${validationMax}` !== '',
    ),
    duplicateNames(fields),
    nonConsecutiveForms(fields),
    unknownTypes(fields),
    invalidNames(fields),
  ].filter((fault) => fault !== '');
  if (fields.length === 0) faults.push('The data dictionary has no fields.');
  else if (fields[0]?.type !== 'text')
    faults.push('The first field must be a text field: it holds the record ID.');
  if (faults.length > 0) throw new ApiFailure(400, faults.join('\n'));
  return fields;
}

/** Returns the name of a cell. The first row of a spreadsheet is the header. */
function cell(column: string, index: number): string {
  return `${column}${index + 2}`;
}

function missing(
  fields: readonly Field[],
  column: string,
  text: string,
  isMissing: (field: Field) => boolean,
): string {
  const cells = fields.flatMap((field, index) => (isMissing(field) ? [cell(column, index)] : []));
  return cells.length === 0 ? '' : `${text} ${cells.join(', ')}${column === 'I' ? '' : '.'}`;
}

function duplicateNames(fields: readonly Field[]): string {
  const cells = new Map<string, string[]>();
  for (const [index, { name }] of fields.entries()) {
    if (name !== '') cells.set(name, [...(cells.get(name) ?? []), cell('A', index)]);
  }
  const names = [...cells]
    .filter(([, at]) => at.length > 1)
    .map(([name, at]) => `${name} (${at.join(', ')})`);
  if (names.length === 0) return '';
  return `The following variable/field names were duplicated. Please rename these field names so that they only appear once. ${names.join(', ')}`;
}

/** Checks that the rows of each form are consecutive. */
function nonConsecutiveForms(fields: readonly Field[]): string {
  const seen = new Set<string>();
  let last = '';
  for (const { instrument } of fields) {
    if (instrument !== last && seen.has(instrument)) {
      return `Form names must be sequential and cannot repeat: ${instrument}`;
    }
    seen.add(instrument);
    last = instrument;
  }
  return '';
}

function unknownTypes(fields: readonly Field[]): string {
  if (fields.every(({ type }) => TYPES.has(type))) return '';
  return 'The only valid field types are text, notes, radio, dropdown, calc, file, checkbox, yesno, truefalse, descriptive, slider';
}

/** Checks the names of fields and forms. The server's actual message is unknown (choice). */
function invalidNames(fields: readonly Field[]): string {
  const cells = fields.flatMap(({ name, instrument }, index) => [
    ...(name === '' || isFieldName(name) ? [] : [cell('A', index)]),
    ...(instrument === '' || isInstrumentName(instrument) ? [] : [cell('B', index)]),
  ]);
  return cells.length === 0 ? '' : `The following cells hold names that are not valid: ${cells.join(', ')}`;
}

/**
 * Replaces the data dictionary of a project. Instruments that remain keep their labels, events and repeats. Values of
 * removed fields stay stored but are not exported, as on a real server.
 *
 * @see docs/protocol/redcap.md 8.8 (doc, issue)
 */
export function replaceDictionary(project: SandboxProject, fields: readonly Field[]): void {
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
