import { DataDictionary } from '../../../../../src/domain/dictionary/data-dictionary.js';
import type { Field } from '../../../../../src/domain/dictionary/field.js';
import { ProjectStructure } from '../../../../../src/domain/dictionary/project-structure.js';
import { writeProjectTypes } from '../../../../../src/domain/dictionary/project-types/write-project-types.js';
import { someField } from '../../../../support/some-field.js';

const SEX = someField('sex', { type: 'radio', choicesOrCalculations: '1, Female | 2, Male' });
export const FIELDS: Field[] = [someField('record_id'), someField('age', { validationType: 'integer' }), SEX];

/** Returns the types of a project with these fields, all of them on each event. */
export function typesOf(fields: readonly Field[], events: readonly string[] = []): string {
  const structure = new ProjectStructure({
    dictionary: new DataDictionary(fields),
    events: events.map((uniqueName) => ({ uniqueName, label: uniqueName, arm: 1 })),
    mappings: events.map((event) => ({ event, instrument: 'base' })),
  });
  return writeProjectTypes(structure, 'A project');
}
