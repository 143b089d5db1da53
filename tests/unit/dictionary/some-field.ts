import { BLANK_FIELD, type Field } from '../../../src/dictionary/field.js';

/** The types of fields that REDCap has. @see docs/protocol/redcap.md 8.2 */
export const FIELD_TYPES: readonly string[] = [
  'text',
  'notes',
  'radio',
  'dropdown',
  'checkbox',
  'yesno',
  'truefalse',
  'calc',
  'slider',
  'file',
  'descriptive',
  'sql',
];

/** A field of which a test says only what matters to it: text without validation on the instrument `base` otherwise. */
export function someField(name: string, overrides: Partial<Field> = {}): Field {
  return { ...BLANK_FIELD, name, instrument: 'base', label: `The label of ${name}`, ...overrides };
}
