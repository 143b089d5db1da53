import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
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
    const tally = await StudyTally.of(structure);
    tally.header(['id', 'age', 'sites___1', 'sites___unk', 'base_complete']);
    for (const row of ['1,UNK,0,1,2', '2,40,0,0,2', '3,,1,0,2']) tally.record([row.split(',')]);

    expect(tally.fields.map(({ field, shown, missing }) => [field.name, shown, missing])).to.deep.equal([
      ['age', 3, 1],
      ['sites', 3, 1],
    ]);
  });
});
