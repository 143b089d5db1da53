import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import {
  ProjectStructure,
  type ProjectStructureParts,
} from '../../../../src/domain/dictionary/project-structure.js';
import {
  DistributionTally,
  kindOf,
  type GroupTally,
} from '../../../../src/services/summary/distribution-tally.js';
import { someField } from '../../../support/some-field.js';

describe('The kind of a distribution', () => {
  const cases: readonly (readonly [string, Partial<Field>])[] = [
    ['choices', { type: 'radio' }],
    ['choices', { type: 'dropdown' }],
    ['choices', { type: 'checkbox' }],
    ['choices', { type: 'yesno' }],
    ['choices', { type: 'truefalse' }],
    ['presence', { type: 'radio', isIdentifier: true }],
    ['numbers', { type: 'slider' }],
    ['numbers', { type: 'text', validationType: 'integer' }],
    ['numbers', { type: 'text', validationType: 'number_2dp_comma_decimal' }],
    ['presence', { type: 'text', validationType: 'integer', isIdentifier: true }],
    ['presence', { type: 'text', validationType: 'date_ymd' }],
    ['presence', { type: 'text', validationType: 'vmrn_integer' }],
    ['presence', { type: 'text' }],
    ['presence', { type: 'notes', validationType: 'integer' }],
    ['presence', { type: 'file' }],
    ['numbers', { type: 'calc' }],
    ['presence', { type: 'calc', annotation: "@CALCTEXT(if([age] > 17, 'adult', 'child'))" }],
    ['presence', { type: 'calc', annotation: "@CALCDATE([visit], 7, 'd')" }],
  ];
  for (const [kind, field] of cases)
    it(`is ${kind} for ${JSON.stringify(field)}`, () => {
      expect(kindOf(someField('f', field))).to.equal(kind);
    });
});

/** Counts the rows of a CSV export whose fields are `id` and the given one, on the instrument `base`. */
function tallyOf(
  field: Partial<Field>,
  csv: string,
  { by, ...parts }: Partial<ProjectStructureParts> & { readonly by?: 'dag' | 'arm' } = {},
): DistributionTally {
  const distributed = someField('f', field);
  const dictionary = new DataDictionary([someField('id'), distributed]);
  const tally = new DistributionTally(new ProjectStructure({ dictionary, ...parts }), distributed, by);
  const rows = parse<Record<string, string>>(csv, { columns: true });
  for (const row of rows) tally.add({ dag: row['redcap_data_access_group'] ?? '' }, [row]);
  return tally;
}

const counts = ({ n, missing, choices, sorted }: GroupTally) => ({
  n,
  missing,
  ...(choices.size > 0 && { choices: Object.fromEntries(choices) }),
  ...(sorted.length > 0 && { numbers: [...sorted] }),
});

describe('DistributionTally', () => {
  it('counts the values of forms that were begun, and codes of missing data as missing', () => {
    const csv = 'id,f,base_complete\n1,1,2\n2,1,0\n3,2,1\n4,,0\n5,UNK,2\n6,2,\n';

    expect(counts(tallyOf({ type: 'radio' }, csv, { missingDataCodes: ['UNK'] }).total)).to.deep.equal({
      n: 3,
      missing: 2,
      choices: { '1': 2, '2': 1 },
    });
  });

  it('counts numbers with a point or a comma, and others as missing', () => {
    const csv = 'id,f,base_complete\n1,1.5,2\n2,"2,5",2\n3,many,2\n4,Infinity,2\n';

    expect(counts(tallyOf({ type: 'slider' }, csv).total)).to.deep.equal({
      n: 2,
      missing: 2,
      numbers: [1.5, 2.5],
    });
  });

  it('counts free text without its values', () => {
    expect(counts(tallyOf({ type: 'text' }, 'id,f,base_complete\n1,Ada,2\n2,,2\n').total)).to.deep.equal({
      n: 1,
      missing: 1,
    });
  });

  it('counts each selected choice of a checkbox field, and a form with none as missing', () => {
    const field = { type: 'checkbox', choicesOrCalculations: '1, A | 2, B' } as const;
    const csv = 'id,f___1,f___2,base_complete\n1,1,1,2\n2,0,1,2\n3,0,0,2\n4,1,0,\n';

    expect(counts(tallyOf(field, csv).total)).to.deep.equal({
      n: 2,
      missing: 1,
      choices: { '1': 1, '2': 2 },
    });
  });

  it('counts by data access group', () => {
    const csv = 'id,redcap_data_access_group,f,base_complete\n1,north,x,2\n2,,x,2\n3,north,,2\n';
    const { total, groups } = tallyOf({ type: 'text' }, csv, { by: 'dag' });

    expect(counts(total)).to.deep.equal({ n: 2, missing: 1 });
    expect([...groups].map(([name, group]) => [name, counts(group)])).to.deep.equal([
      ['north', { n: 1, missing: 1 }],
      ['', { n: 1, missing: 0 }],
    ]);
    expect(tallyOf({ type: 'text' }, csv).groups.size).to.equal(0);
  });

  it('counts by arm, at the events of the instrument alone', () => {
    const events = [
      { uniqueName: 'one_arm_1', label: 'One', arm: 1 },
      { uniqueName: 'one_arm_2', label: 'One', arm: 2 },
      { uniqueName: 'two_arm_2', label: 'Two', arm: 2 },
    ];
    const mappings = events.slice(0, 2).map(({ uniqueName }) => ({ event: uniqueName, instrument: 'base' }));
    const csv = 'id,redcap_event_name,f,base_complete\n1,one_arm_1,x,2\n2,one_arm_2,x,2\n2,two_arm_2,x,2\n';
    const { total, groups } = tallyOf({ type: 'text' }, csv, { by: 'arm', events, mappings });

    expect(counts(total)).to.deep.equal({ n: 2, missing: 0 });
    expect([...groups].map(([name, group]) => [name, group.n])).to.deep.equal([
      ['1', 1],
      ['2', 1],
    ]);
  });

  it('counts every instance of a repeating instrument, and no row of another one', () => {
    const csv = 'id,redcap_repeat_instrument,f,base_complete\n1,base,x,2\n1,base,y,2\n1,other,x,2\n1,,x,2\n';
    const repeating = [{ event: '', instrument: 'base' }];

    expect(tallyOf({ type: 'text' }, csv, { repeating }).total.n).to.equal(2);
    expect(tallyOf({ type: 'text' }, csv).total.n).to.equal(3);
  });

  it('gives the figures of numbers, and the counts of the known choices', () => {
    const { total } = tallyOf({ type: 'slider' }, 'id,f,base_complete\n1,1,2\n2,2,2\n3,3,2\n4,4,2\n5,9,2\n');
    const choices = tallyOf({ type: 'radio' }, 'id,f,base_complete\n1,1,2\n2,9,2\n').total;

    expect(total.figures([])).to.deep.equal({
      ...{ n: 5, missing: 0, min: 1, lowerQuartile: 2, median: 3, upperQuartile: 4, max: 9, choices: [] },
    });
    expect(
      choices.figures([
        { code: '1', label: 'A' },
        { code: '2', label: 'B' },
      ]).choices,
    ).to.deep.equal([
      { code: '1', label: 'A', n: 1 },
      { code: '2', label: 'B', n: 0 },
    ]);
  });
});
