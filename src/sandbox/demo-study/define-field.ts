import type { Field } from '../../dictionary/field.js';

/** What a field of the demo study says of itself; the rest is empty. */
export type FieldDefinition = Pick<Field, 'name' | 'type' | 'label'> & Partial<Field>;

/** Makes the fields of one instrument, in order. */
export function defineInstrument(instrument: string, definitions: readonly FieldDefinition[]): Field[] {
  return definitions.map((definition) => ({ ...EMPTY, ...definition, instrument }));
}

const EMPTY: Field = {
  name: '',
  instrument: '',
  sectionHeader: '',
  type: 'text',
  label: '',
  choicesOrCalculations: '',
  note: '',
  validationType: '',
  validationMin: '',
  validationMax: '',
  isIdentifier: false,
  branchingLogic: '',
  isRequired: false,
  alignment: '',
  questionNumber: '',
  matrixGroup: '',
  isMatrixRanking: false,
  annotation: '',
};
