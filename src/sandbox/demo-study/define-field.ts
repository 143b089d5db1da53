import { BLANK_FIELD, type Field } from '../../dictionary/field.js';

/** What a field of the demo study says of itself; the rest is empty. */
export type FieldDefinition = Pick<Field, 'name' | 'type' | 'label'> & Partial<Field>;

/** Makes the fields of one instrument, in order. */
export function defineInstrument(instrument: string, definitions: readonly FieldDefinition[]): Field[] {
  return definitions.map((definition) => ({ ...BLANK_FIELD, ...definition, instrument }));
}
