import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import type { RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { nestedDocument } from '../../../../src/services/records/record-document.js';
import { RowTyper } from '../../../../src/records/typed/row-typer.js';
import { someField } from '../../../support/some-field.js';

describe('nestedDocument', () => {
  const structure = new ProjectStructure({
    dictionary: new DataDictionary([
      someField('id'),
      someField('age', { validationType: 'integer' }),
      someField('pulse', { instrument: 'visit', validationType: 'integer' }),
      someField('sites', { instrument: 'late', type: 'checkbox', choicesOrCalculations: '1, North' }),
    ]),
    missingDataCodes: ['UNK'],
  });
  const typer = new RowTyper(structure);
  function nested(row: RecordRow) {
    const misfits: string[] = [];
    const convert = (one: RecordRow) => typer.type(one, (_, name) => misfits.push(name));
    return { document: nestedDocument(structure, '1', [row], convert), misfits };
  }

  it('reports a misfit once, however many instruments its row has', () => {
    const { document, misfits } = nested({ id: '1', age: 'old', pulse: '60', base_complete: '0' });

    expect(misfits).to.deep.equal(['age']);
    expect(document.events[0]?.instruments.map(({ instrument }) => instrument)).to.deep.equal([
      'base',
      'visit',
    ]);
  });

  it('treats an instrument as not begun if its checkboxes are 0, including those for missing data codes', () => {
    const { document } = nested({ id: '1', age: '4', sites___1: '0', sites___unk: '0', late_complete: '' });

    expect(document.events[0]?.instruments.at(-1)).to.deep.equal({ instrument: 'late', instances: [] });
  });

  it('searches the columns of a row once, however many instruments the project has', () => {
    const searches = (count: number): number => {
      const fields = Array.from({ length: count }, (_, at) =>
        someField(`field_${at}`, { instrument: `form_${at}` }),
      );
      const project = new ProjectStructure({ dictionary: new DataDictionary([someField('id'), ...fields]) });
      const values = Object.fromEntries(fields.map(({ name }) => [name, '1']));
      let found = 0;
      const row = new Proxy(values, {
        ownKeys: (target) => {
          found++;
          return Reflect.ownKeys(target);
        },
      });
      const { events } = nestedDocument(project, '1', [row], (one) => one);
      expect(events[0]?.instruments).to.have.lengthOf(count);
      return found;
    };

    expect(searches(40)).to.equal(searches(4));
  });
});
