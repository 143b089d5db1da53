import { BLANK_FIELD, type Field } from '../../src/domain/dictionary/field.js';

/** The field types of REDCap. @see docs/protocol/redcap.md 8.2 */
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

/** Returns a field with the given properties; by default unvalidated text on the instrument `base`. */
export function someField(name: string, overrides: Partial<Field> = {}): Field {
  return { ...BLANK_FIELD, name, instrument: 'base', label: `The label of ${name}`, ...overrides };
}
