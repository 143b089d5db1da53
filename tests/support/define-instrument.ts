import { BLANK_FIELD, type Field } from '../../src/domain/dictionary/field.js';

/** The properties of a field of the demo study; those not given are empty. */
export type FieldDefinition = Pick<Field, 'name' | 'type' | 'label'> & Partial<Field>;

/** Makes the fields of one instrument, in order. */
export function defineInstrument(instrument: string, definitions: readonly FieldDefinition[]): Field[] {
  return definitions.map((definition) => ({ ...BLANK_FIELD, ...definition, instrument }));
}
