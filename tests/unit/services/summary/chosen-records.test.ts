import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import { ChosenRecords } from '../../../../src/services/summary/chosen-records.js';
import { ID_FIELD } from '../../../support/fake-project.js';

describe('The records that a filter of the summary selects', () => {
  it('UP-02: are refused if one has more rows than can be held', () => {
    let count = 0;
    const sink = { header: () => undefined, row: () => void (count += 1) };
    const structure = new ProjectStructure({ dictionary: DataDictionary.of([ID_FIELD]) });
    const read = (rows: number): void => {
      const chosen = new ChosenRecords(sink, {}, structure, undefined);
      chosen.header(['record_id']);
      for (let row = 0; row < rows; row += 1) chosen.row(['1']);
      chosen.end();
    };

    read(100_000);
    expect(count).to.equal(100_000);
    expect(() => read(100_001)).to.throw('more than 100000 rows');
  });
});
