import { FORM_STATUS_CHOICES, type Choice } from '../../../domain/dictionary/choices.js';
import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { Field } from '../../../domain/dictionary/field.js';
import type { SandboxProject } from '../project.js';
import type { Parameters } from '../wire/parameters.js';
import type { StoredRow } from './record-store.js';

/** How values are written: as codes or labels, and with which decimal character. */
export interface ValueStyle {
  readonly isLabel: boolean;
  /** With labels: whether a checkbox column has the choice's label or a blank, instead of `Checked` or `Unchecked`. */
  readonly hasCheckboxLabels: boolean;
  /** Whether the status of a form that was never saved is blank instead of 0. */
  readonly isGrayBlank: boolean;
  /** `,` or `.`; empty to export numbers as stored. */
  readonly decimalCharacter: string;
}

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
  if (row.instance === 0) {
    return !project.isRepeatingInstrument(row.event, instrument) && !project.isRepeatingEvent(row.event);
  }
  return row.instrument === '' ? project.isRepeatingEvent(row.event) : row.instrument === instrument;
}

/**
 * Returns the reader for a column. It is compiled once per export.
 *
 * @see docs/protocol/redcap.md 4.4 (wire, client)
 */
export function compileColumn(project: SandboxProject, column: ExportColumn, style: ValueStyle): CellReader {
  const { name, field, choice } = column;
  if (field === undefined) return formStatusReader(name, style);
  if (choice !== undefined) return checkboxReader(name, choice.label, style);
  const labels = style.isLabel
    ? labelsOf([...project.dictionary.choices(field), ...project.missingCodes])
    : NONE;
  const convert = decimalConverter(field, style.decimalCharacter);
  return ({ values }) => {
    const stored = values.get(name) ?? '';
    return labels.get(stored) ?? convert(stored);
  };
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Maps codes to labels. The first of several equal codes wins. */
function labelsOf(choices: readonly Choice[]): ReadonlyMap<string, string> {
  return new Map(choices.map(({ code, label }): [string, string] => [code, label]).reverse());
}

/** Returns a reader for a form status. A saved form always has a stored status, so one without it was never saved. */
function formStatusReader(name: string, { isLabel, isGrayBlank }: ValueStyle): CellReader {
  const labels = isLabel ? labelsOf(FORM_STATUS_CHOICES) : NONE;
  return ({ values }) => {
    const stored = values.get(name);
    if (stored === undefined && isGrayBlank) return '';
    const status = stored ?? '0';
    return labels.get(status) ?? status;
  };
}

function checkboxReader(name: string, label: string, style: ValueStyle): CellReader {
  const [checked, unchecked] = checkboxWords(label, style);
  return ({ values }) => (values.get(name) === '1' ? checked : unchecked);
}

function checkboxWords(label: string, { isLabel, hasCheckboxLabels }: ValueStyle): [string, string] {
  if (!isLabel) return ['1', '0'];
  return hasCheckboxLabels ? [label, ''] : ['Checked', 'Unchecked'];
}

/** Converts calculated values and validated numbers: `26.8` becomes `26,8`. (doc, client) */
function decimalConverter({ type, validationType }: Field, character: string): (value: string) => string {
  const isNumber = type === 'calc' || (type === 'text' && validationType.startsWith('number'));
  if (!isNumber || (character !== ',' && character !== '.')) return (value) => value;
  return (value) => value.replace(/[.,](?=\d+$)/, character);
}
