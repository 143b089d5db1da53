import type { Field } from './field.js';

/** One choice of a field: the stored code and the displayed label. */
export interface Choice {
  readonly code: string;
  readonly label: string;
}

const YES_NO = parseChoices('1, Yes | 0, No');
const TRUE_FALSE = parseChoices('1, True | 0, False');

/** The values of a checkbox's column for one of its choices. */
export const CHECKED_CHOICES: readonly Choice[] = parseChoices('0, Unchecked | 1, Checked');

/** @see docs/protocol/redcap.md 4.4 (wire): the form status */
export const FORM_STATUS_CHOICES: readonly Choice[] = parseChoices(
  '0, Incomplete | 1, Unverified | 2, Complete',
);

/**
 * Parses `1, Male | 2, Female`: split at each bar, then at the first comma, with both parts trimmed. A part without a
 * comma is both code and label. Labels can repeat, and can contain commas, quotes and HTML.
 *
 * @see docs/protocol/redcap.md 8.3 (doc, wire)
 */
export function parseChoices(text: string): Choice[] {
  return text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(toChoice);
}

/** @returns the choices of a coded field; an empty list for every other type */
export function choicesOf(field: Pick<Field, 'type' | 'choicesOrCalculations'>): readonly Choice[] {
  switch (field.type) {
    case 'radio':
    case 'dropdown':
    case 'checkbox':
      return parseChoices(field.choicesOrCalculations);
    case 'yesno':
      return YES_NO;
    case 'truefalse':
      return TRUE_FALSE;
    default:
      return [];
  }
}

function toChoice(part: string): Choice {
  const comma = part.indexOf(',');
  if (comma === -1) return { code: part, label: part };
  return { code: part.slice(0, comma).trim(), label: part.slice(comma + 1).trim() };
}
