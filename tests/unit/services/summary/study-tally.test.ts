import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import { compileForms } from '../../../../src/records/rules/form-checks.js';
import { StudyTally } from '../../../../src/services/summary/study-tally.js';
import { someField } from '../../../support/some-field.js';

describe('StudyTally', () => {
  it('counts a missing data code as an answer, also of a checkbox field', async () => {
    const structure = new ProjectStructure({
      dictionary: new DataDictionary([
        someField('id'),
        someField('age'),
        someField('sites', { type: 'checkbox', choicesOrCalculations: '1, North' }),
      ]),
      missingDataCodes: ['UNK'],
    });
    const tally = new StudyTally(structure, await compileForms(structure, () => new Date()));
    const listed = { record: '1', dag: '', joined: '' };
    for (const [age = '', north = '', unknown = ''] of [
      ['UNK', '0', '1'],
      ['40', '0', '0'],
      ['', '1', '0'],
    ])
      tally.add(listed, [{ id: '1', age, sites___1: north, sites___unk: unknown, base_complete: '2' }]);

    expect(tally.fields.map(({ field, shown, missing }) => [field.name, shown, missing])).to.deep.equal([
      ['age', 3, 1],
      ['sites', 3, 1],
    ]);
  });
});
