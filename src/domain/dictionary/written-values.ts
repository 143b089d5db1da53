import { FORM_STATUS_CHOICES, type Choice } from './choices.js';
import type { ExportColumn } from './export-column.js';
import type { StructureEvent } from './project-structure.js';

/** How an export writes values: as codes or labels, and with which decimal character. */
export interface ValueStyle {
  readonly isLabel: boolean;
  /** With labels: whether a checkbox column has the choice's label or a blank, instead of `Checked` or `Unchecked`. */
  readonly hasCheckboxLabels: boolean;
  /** Whether the status of a form that was never saved is blank instead of 0. */
  readonly isGrayBlank: boolean;
  /** `,` or `.`; empty to write numbers as stored. */
  readonly decimalCharacter: string;
}

/**
 * Returns how the values of a column are written on a row on which its form has a place. A value that is not stored is
 * blank.
 *
 * @param choices of its field, and the missing data codes of the project
 * @see docs/protocol/redcap.md 4.4 (wire, client)
 */
export function valueWriter(
  { field, choice }: ExportColumn,
  choices: readonly Choice[],
  { isLabel, hasCheckboxLabels, isGrayBlank, decimalCharacter }: ValueStyle,
): (stored: string) => string {
  if (choice !== undefined) {
    const words = hasCheckboxLabels ? [choice.label, ''] : ['Checked', 'Unchecked'];
    const [checked = '', unchecked = ''] = isLabel ? words : ['1', '0'];
    return (stored) => (stored === '1' ? checked : unchecked);
  }
  const labels = isLabel ? labelsOf(field === undefined ? FORM_STATUS_CHOICES : choices) : NONE;
  if (field === undefined) {
    const unsaved = isGrayBlank ? '' : '0';
    return (stored) => labels.get(stored || unsaved) ?? (stored || unsaved);
  }
  // Calculated values and validated numbers: `26.8` becomes `26,8`. (doc, client)
  const isNumber =
    field.type === 'calc' || (field.type === 'text' && field.validationType.startsWith('number'));
  if (isNumber && /^[.,]$/.test(decimalCharacter))
    return (stored) => labels.get(stored) ?? stored.replace(/[.,](?=\d+$)/, decimalCharacter);
  return (stored) => labels.get(stored) ?? stored;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Maps codes to labels. The first of several equal codes wins. */
function labelsOf(choices: readonly Choice[]): ReadonlyMap<string, string> {
  return new Map(choices.map(({ code, label }): [string, string] => [code, label]).reverse());
}

/**
 * Returns the label of an event. If several arms have events, it includes the arm: `Enrollment (Arm 1: Drug A)`.
 *
 * @see docs/protocol/redcap.md 4.4, 20 (client)
 */
export function writtenEvent(
  uniqueName: string,
  events: readonly StructureEvent[],
  armName: (number: number) => string | undefined,
): string {
  const event = events.find((each) => each.uniqueName === uniqueName);
  if (event === undefined) return uniqueName;
  if (events.every(({ arm }) => arm === event.arm)) return event.label;
  return `${event.label} (Arm ${event.arm}: ${armName(event.arm) ?? ''})`;
}
