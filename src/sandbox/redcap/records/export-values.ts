import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import { type ValueStyle, valueWriter, writtenEvent } from '../../../domain/dictionary/written-values.js';
import type { SandboxProject } from '../project.js';
import type { Parameters } from '../../../wire/parameters.js';
import type { Place, StoredRow } from './record-store.js';

/** Returns the style that a call requests. @see docs/protocol/redcap.md 4.1 (doc) */
export function styleOf(parameters: Parameters): ValueStyle {
  return {
    isLabel: parameters.text('rawOrLabel') === 'label',
    hasCheckboxLabels: parameters.flag('exportCheckboxLabel'),
    isGrayBlank: parameters.flag('exportBlankForGrayFormStatus'),
    decimalCharacter: parameters.text('decimalCharacter'),
  };
}

/** Reads one cell of a row on which the column's instrument has a place. */
export type CellReader = (row: StoredRow) => string;

/**
 * Whether an instrument has a place on a row. If not, its cells are empty, including checkboxes and form status.
 *
 * @see docs/protocol/redcap.md 4.3 (wire)
 */
export function isOnRow(project: SandboxProject, instrument: string, row: StoredRow): boolean {
  if (!project.isMapped(row.event, instrument)) return false;
  if (row.instance === 0)
    return !project.isRepeatingInstrument(row.event, instrument) && !project.isRepeatingEvent(row.event);
  return row.instrument === '' ? project.isRepeatingEvent(row.event) : row.instrument === instrument;
}

/**
 * Returns the reader for a column. It is compiled once per export.
 *
 * @see docs/protocol/redcap.md 4.4 (wire, client)
 */
export function compileColumn(project: SandboxProject, column: ExportColumn, style: ValueStyle): CellReader {
  const { name, field } = column;
  const choices =
    field === undefined ? [] : [...project.dictionary.choices(field), ...project.structure.missingCodes];
  const write = valueWriter(column, choices, style);
  return ({ values }) => write(values.get(name) ?? '');
}

/** A place in a record, with the values that the record's rows share. */
type StructuralPlace = Place & { readonly group?: string; readonly surveyIdentifier?: string };

/**
 * Returns the cell of a structural column, such as event or repeat instance.
 *
 * @see docs/protocol/redcap.md 4.4 (client)
 */
export function structuralCell(
  project: SandboxProject,
  name: string,
  { event, instrument, instance, group = '', surveyIdentifier = '' }: StructuralPlace,
  { isLabel }: ValueStyle,
): string | number {
  switch (name) {
    case 'redcap_event_name':
      return isLabel ? eventLabel(project, event) : event;
    case 'redcap_repeat_instrument':
      return isLabel ? (project.instrument(instrument)?.label ?? '') : instrument;
    case 'redcap_repeat_instance':
      return instance === 0 ? '' : instance;
    case 'redcap_data_access_group':
      return isLabel ? (project.group(group)?.name ?? '') : group;
    case 'redcap_survey_identifier':
      return surveyIdentifier;
    default:
      return '';
  }
}

/** Returns the label of an event, with its arm if several arms have events. */
export function eventLabel({ study }: SandboxProject, uniqueName: string): string {
  const armName = (number: number): string | undefined =>
    study.arms.find((arm) => arm.number === number)?.name;
  return writtenEvent(uniqueName, study.events, armName);
}
