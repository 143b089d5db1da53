import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import { defineInstrument } from '../../../support/define-instrument.js';
import { compileBranchingLogic, shownRule } from '../../../../src/services/summary/shown-fields.js';

describe('shownRule', () => {
  const fields = defineInstrument('base', [
    { name: 'id', type: 'text', label: 'Id' },
    { name: 'age', type: 'text', label: 'Age' },
    { name: 'why', type: 'text', label: 'Why', branchingLogic: 'isblankormissingcode([age])' },
  ]);
  const structure = new ProjectStructure({
    dictionary: new DataDictionary(fields),
    missingDataCodes: ['UNK'],
  });

  for (const [age, isShown] of [
    ['', true],
    ['UNK', true],
    ['40', false],
  ] as const) {
    it(`respects the missing data codes of the project, for the value "${age}"`, async () => {
      const [, , why] = fields;
      if (why === undefined) throw new Error('The instrument has three fields.');
      const logic = await compileBranchingLogic(structure);
      const rule = shownRule(why, logic, structure, new Map([['age', 1]]), () => true);

      expect(rule(['1', age, ''])).to.equal(isShown);
    });
  }
});
