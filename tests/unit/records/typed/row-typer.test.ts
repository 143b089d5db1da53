import { expect } from 'chai';
import fc from 'fast-check';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import type { RecordRow, TypedForm } from '../../../../src/gateways/redcap/crf-client.js';
import { RowTyper } from '../../../../src/records/typed/row-typer.js';
import { RowUntyper } from '../../../../src/records/typed/row-untyper.js';
import { someField } from '../../../support/some-field.js';

const STRUCTURE = new ProjectStructure({
  dictionary: new DataDictionary([
    someField('id', { validationType: 'integer' }),
    someField('age', { validationType: 'integer' }),
    someField('weight', { validationType: 'number' }),
    someField('dose', { validationType: 'number_2dp_comma_decimal' }),
    someField('temp', { validationType: 'number_1dp' }),
    someField('smokes', { type: 'yesno' }),
    someField('sex', { type: 'radio', choicesOrCalculations: '1, Female | 2, Male' }),
    someField('sites', { type: 'checkbox', choicesOrCalculations: '1, North | -99, Unknown' }),
    someField('born', { validationType: 'date_mdy' }),
    someField('seen', { validationType: 'datetime_seconds_dmy' }),
    someField('bmi', { type: 'calc' }),
    someField('label', { type: 'calc', annotation: "@CALCTEXT('a')" }),
    someField('note', { type: 'notes' }),
    someField('zip', { validationType: 'zipcode' }),
  ]),
  missingDataCodes: ['UNK'],
});

function typed(row: RecordRow, options?: TypedForm) {
  const misfits: string[] = [];
  const values = new RowTyper(STRUCTURE, options).type(row, (_, column) => misfits.push(column));
  return { values, misfits };
}

describe('RowTyper', () => {
  for (const [column, text, value] of [
    ['id', '0042', '0042'],
    ['age', '42', 42],
    ['age', '', null],
    ['weight', '71.50', 71.5],
    ['weight', '-.5', -0.5],
    ['weight', '1e3', 1000],
    ['dose', '2,50', 2.5],
    ['temp', '37.0', 37],
    ['smokes', '1', true],
    ['smokes', '0', false],
    ['sex', '2', '2'],
    ['born', '1996-02-29', '1996-02-29'],
    ['seen', '2026-01-31 10:30:05', '2026-01-31T10:30:05'],
    ['bmi', '22.1', 22.1],
    ['label', '12', '12'],
    ['note', '12', '12'],
    ['zip', '01234', '01234'],
    ['base_complete', '2', '2'],
    ['redcap_repeat_instance', 3, 3],
    ['redcap_repeat_instance', '', null],
    ['redcap_event_name', 'start_arm_1', 'start_arm_1'],
  ] as const) {
    it(`converts ${JSON.stringify(text)} in ${column} to ${JSON.stringify(value)}`, () => {
      expect(typed({ [column]: text })).to.deep.equal({ values: { [column]: value }, misfits: [] });
    });
  }

  for (const [column, text] of [
    ['age', '4.5'],
    ['age', 'old'],
    ['age', '90071992547409931'],
    ['weight', '0.12345678901234567891'],
    ['weight', '1,5'],
    ['smokes', 'yes'],
    ['sex', '3'],
    ['born', '1997-02-29'],
    ['seen', '2026-01-31 10:30'],
    ['bmi', 'none'],
  ] as const) {
    it(`keeps ${JSON.stringify(text)} in ${column} as text, and reports a misfit`, () => {
      expect(typed({ [column]: text })).to.deep.equal({ values: { [column]: text }, misfits: [column] });
    });
  }

  for (const [states, value] of [
    [
      ['1', '1'],
      ['1', '-99'],
    ],
    [['0', '1'], ['-99']],
    [['0', '0'], []],
    [['', ''], null],
  ] as const) {
    it(`converts a checkbox field with ${states.join(' and ') || 'blanks'} to ${JSON.stringify(value)}`, () => {
      const row = { sites___1: states[0], sites____99: states[1] };

      expect(typed(row).values).to.deep.equal({ sites: value });
    });
  }

  it('keeps a value that no checkbox can have in its own column', () => {
    expect(typed({ sites___1: '1', sites____99: 'x' })).to.deep.equal({
      values: { sites: ['1'], sites____99: 'x' },
      misfits: ['sites____99'],
    });
  });

  it('returns codes with their labels if requested', () => {
    expect(
      typed({ sex: '1', sites___1: '1', sites____99: '0', base_complete: '0' }, { labels: true }).values,
    ).to.deep.equal({
      sex: { code: '1', label: 'Female' },
      sites: [{ code: '1', label: 'North' }],
      base_complete: { code: '0', label: 'Incomplete' },
    });
  });

  it('returns a missing data code as an object, or as null', () => {
    const row = { age: 'UNK', sites___1: '0', sites____99: '0', sites___unk: '1' };

    expect(typed(row).values).to.deep.equal({ age: { missing: 'UNK' }, sites: { missing: 'UNK' } });
    expect(typed(row, { missing: 'null' }).values).to.deep.equal({ age: null, sites: null });
  });

  it('loses no digit of a number that it converts', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(fc.constantFrom('', '-'), digits, digits, (sign, whole, fraction) => {
        const text = `${sign}${whole}.${fraction}`;
        const { values, misfits } = typed({ weight: text });
        if (misfits.length > 0) {
          expect(values['weight']).to.equal(text);
          return;
        }

        const shortest = `${sign}${whole.replace(/^0+(?=\d)/, '')}.${fraction}`.replace(/\.?0+$/, '');
        const back = Number(values['weight']);
        if (!String(back).includes('e') && back !== 0) expect(String(back)).to.equal(shortest);
      }),
    );
  });
});

describe('RowUntyper', () => {
  const untyped = (row: Record<string, unknown>) => {
    const problems: unknown[] = [];
    return {
      raw: new RowUntyper(STRUCTURE.dictionary).untype(row, (problem) => problems.push(problem)),
      problems,
    };
  };

  it('writes values as REDCap stores them', () => {
    const row = {
      id: '7',
      redcap_repeat_instance: 2,
      age: 42,
      dose: 2.5,
      temp: 37,
      smokes: false,
      sex: { code: '2', label: 'Male' },
      sites: ['-99'],
      seen: '2026-01-31T10:30:05',
      note: 'T',
      weight: { missing: 'UNK' },
      born: null,
    };

    expect(untyped(row)).to.deep.equal({
      raw: {
        id: '7',
        redcap_repeat_instance: '2',
        age: '42',
        dose: '2,50',
        temp: '37.0',
        smokes: '0',
        sex: '2',
        sites___1: '0',
        sites____99: '1',
        seen: '2026-01-31 10:30:05',
        note: 'T',
        weight: 'UNK',
        born: '',
      },
      problems: [],
    });
  });

  for (const [field, value] of [
    ['age', 4.5],
    ['temp', 37.05],
    ['sites', ['2']],
    ['sites', '1'],
    ['weight', Number.NaN],
    ['sex', { nothing: true }],
  ] as const) {
    it(`refuses ${JSON.stringify(value)} for ${field}`, () => {
      expect(untyped({ [field]: value }).problems).to.have.length(1);
    });
  }
});
