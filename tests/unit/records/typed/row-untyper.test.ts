import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { RowUntyper } from '../../../../src/records/typed/row-untyper.js';
import { someField } from '../../../support/some-field.js';

describe('RowUntyper', () => {
  const sites = someField('sites', { type: 'checkbox', choicesOrCalculations: '1, North | 2, South' });

  it('takes a checkbox field with repeated codes', () => {
    const untyper = new RowUntyper(new DataDictionary([someField('id'), sites]));
    const refused: unknown[] = [];
    const row = untyper.untype({ id: '1', sites: ['2', '2', { code: '2' }] }, (problem) =>
      refused.push(problem),
    );

    expect(row).to.deep.equal({ id: '1', sites___1: '0', sites___2: '1' });
    expect(refused).to.deep.equal([]);
  });

  it('writes numbers, but not one that would be stored with other digits or in an unknown column', () => {
    const fields = [
      someField('id'),
      someField('age', { validationType: 'integer' }),
      someField('dose', { validationType: 'number_1dp' }),
      someField('note', { type: 'notes' }),
    ];
    const untyper = new RowUntyper(new DataDictionary(fields));
    const untyped = (row: Record<string, unknown>) => {
      const refused: string[] = [];
      return [untyper.untype(row, ({ field }) => refused.push(field)), refused];
    };

    expect(untyped({ age: 40, dose: 1.5, note: 1.5, base_complete: 2 })).to.deep.equal([
      { age: '40', dose: '1.5', note: '1.5', base_complete: '2' },
      [],
    ]);
    expect(untyped({ age: 40.5, dose: 1.25, unknown: 1.5 })).to.deep.equal([{}, ['age', 'dose', 'unknown']]);
    expect(untyped({ note: 2 ** 60, unknown: 2 ** 60 })).to.deep.equal([{}, ['note', 'unknown']]);
  });

  it('compares a code with the choices as often for a long list as for a short one', () => {
    let reads = 0;
    class CountedDictionary extends DataDictionary {
      override choices() {
        return super.choices(sites).map(({ code, label }) => ({
          label,
          get code() {
            reads++;
            return code;
          },
        }));
      }
    }
    const untyper = new RowUntyper(new CountedDictionary([someField('id'), sites]));
    const readsFor = (length: number): number => {
      reads = 0;
      untyper.untype({ id: '1', sites: Array.from({ length }, () => '2') }, () => undefined);
      return reads;
    };

    expect(readsFor(1000)).to.equal(readsFor(1));
  });
});
