import { FORM_STATUS_CHOICES } from '../../../dictionary/choices.js';
import type { ExportColumn } from '../../../dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import type { Parameters } from '../wire/parameters.js';
import type { StoredRow } from './stored-record.js';

/** How values are written: codes or labels, and how numbers look. */
export interface ValueStyle {
  readonly isLabel: boolean;
  readonly hasCheckboxLabels: boolean;
  readonly isGrayBlank: boolean;
  readonly decimalCharacter: string;
}

export function styleOf(parameters: Parameters): ValueStyle {
  return {
    isLabel: parameters.text('rawOrLabel') === 'label',
    hasCheckboxLabels: parameters.flag('exportCheckboxLabel'),
    isGrayBlank: parameters.flag('exportBlankForGrayFormStatus'),
    decimalCharacter: parameters.text('decimalCharacter'),
  };
}

/**
 * Whether an instrument has a place on a row. Where it has none its cells are empty, checkboxes and form status too.
 *
 * @see protocol reference 4.3 (wire)
 */
export function standsOn(project: SandboxProject, instrument: string, row: StoredRow): boolean {
  if (!project.isMapped(row.event, instrument)) return false;
  if (row.instance === 0) {
    return !project.isRepeatingInstrument(row.event, instrument) && !project.isRepeatingEvent(row.event);
  }
  return row.instrument === '' ? project.isRepeatingEvent(row.event) : row.instrument === instrument;
}

/**
 * One cell as it is exported.
 *
 * @see protocol reference 4.4 (wire, client)
 */
export function cellOf(
  project: SandboxProject,
  column: ExportColumn,
  row: StoredRow,
  style: ValueStyle,
): string {
  if (!standsOn(project, column.instrument, row)) return '';
  const stored = row.values.get(column.name);
  const { field, choice } = column;
  if (field === undefined) return formStatus(column, row, stored, style);
  if (choice !== undefined) return checkbox(stored === '1', choice.label, style);
  if (stored === undefined) return '';
  if (style.isLabel) {
    const label = project.dictionary.choices(field).find(({ code }) => code === stored)?.label;
    if (label !== undefined) return label;
  }
  return withDecimalCharacter(stored, field.type, field.validationType, style);
}

function formStatus(
  column: ExportColumn,
  row: StoredRow,
  stored: string | undefined,
  style: ValueStyle,
): string {
  if (stored === undefined && style.isGrayBlank && !hasData(column.instrument, row)) return '';
  const status = stored ?? '0';
  return style.isLabel ? (FORM_STATUS_CHOICES.find(({ code }) => code === status)?.label ?? status) : status;
}

/** A form that was saved has a status of its own; the prefix is enough to tell, since the status is stored with it. */
function hasData(instrument: string, row: StoredRow): boolean {
  return row.values.has(`${instrument}_complete`);
}

function checkbox(isChecked: boolean, label: string, { isLabel, hasCheckboxLabels }: ValueStyle): string {
  if (!isLabel) return isChecked ? '1' : '0';
  if (hasCheckboxLabels) return isChecked ? label : '';
  return isChecked ? 'Checked' : 'Unchecked';
}

/** Calculated values and validated numbers: `26.8` becomes `26,8`. (doc, client) */
function withDecimalCharacter(
  value: string,
  type: string,
  validation: string,
  { decimalCharacter }: ValueStyle,
): string {
  const isNumber = type === 'calc' || (type === 'text' && validation.startsWith('number'));
  if (!isNumber || (decimalCharacter !== ',' && decimalCharacter !== '.')) return value;
  return value.replace(/[.,](?=\d+$)/, decimalCharacter);
}
