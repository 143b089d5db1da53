import { expect } from 'chai';
import { callDetails } from '../../../../src/services/audit/call-details.js';
import { recordPseudonym } from '../../../../src/services/audit/record-pseudonyms.js';
import { filterFieldsOf } from '../../../../src/services/audit/filter-fields.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';

const details = (asked: Partial<Parameters<typeof callDetails>[0]>) => {
  const pseudonymOf = (subject: string) => `p(${subject.length})`;
  return callDetails({ path: {}, query: {}, body: undefined, ...asked }, pseudonymOf, pseudonymOf);
};

describe('callDetails', () => {
  it('lists fields, instruments and events, however the list is written', () => {
    expect(
      details({ query: { fields: 'age,weight', 'forms[]': ['visit_1'], 'events[0]': 'a_arm_1' } }),
    ).to.deep.equal({ fields: ['age', 'weight'], forms: ['visit_1'], events: ['a_arm_1'] });
  });

  it('merges the parts of a list, whose items are names or numbers and nothing else', () => {
    const query = { fields: 'age', 'fields[1]': 'weight', arms: [1, '2'] };
    const body = { events: ['a_arm_1', {}, null, true], records: [1, 'Ada', {}, null, true], forms: null };

    expect(details({ query, body })).to.deep.equal({
      fields: ['age', 'weight'],
      arms: ['1', '2'],
      events: ['a_arm_1'],
      records: ['p(1)', 'p(3)'],
    });
  });

  it('splits a list at commas only if it is written as one text', () => {
    expect(details({ query: { fields: ',age,,weight,' } })).to.deep.equal({ fields: ['age', 'weight'] });
    expect(details({ query: { fields: ['age,weight', 'bmi'] } })).to.deep.equal({
      fields: ['bmi'],
      fieldsTotal: 2,
    });
  });

  it('lists a hundred names, and counts the rest', () => {
    const names = Array.from({ length: 101 }, (_, index) => `f${index}`);
    const filterOf = (fields: readonly string[]) => fields.map((field) => `[${field}] = 1`).join(' or ');
    const hundred = names.slice(0, 100);

    expect(details({ body: { fields: names } })).to.deep.equal({ fields: hundred, fieldsTotal: 101 });
    expect(details({ body: { fields: hundred, filterLogic: filterOf(hundred) } })).to.deep.equal({
      fields: hundred,
      filterFields: hundred,
    });
  });

  it('lists the fields of a filter, but none of its values', () => {
    const what = details({
      query: { filterLogic: `[age] > 40 and [name] = '[Ada] Lovelace' and [sites(2)] = "1"` },
    });

    expect(what).to.deep.equal({ filterFields: ['age', 'name', 'sites'] });
  });

  it('counts the fields of a filter if they are too many to list', () => {
    const filterLogic = Array.from({ length: 101 }, (_, index) => `[f${index}] = 1`).join(' or ');
    const what = details({ query: { filterLogic } });

    expect(what.filterFields).to.have.length(100);
    expect(what.filterFieldsTotal).to.equal(101);
  });

  it('does not read a filter that is too long to be accepted', () => {
    const accepted = `[age] = 1${' '.repeat(3_991)}`;
    expect(details({ query: { filterLogic: accepted } })).to.deep.equal({ filterFields: ['age'] });
    expect(details({ body: { filterLogic: `${accepted} ` } })).to.deep.equal({ filterCharacters: 4_001 });
  });

  it('counts records, and identifies them only by pseudonym', () => {
    const records = Array.from({ length: 1500 }, (_, index) => `COHORT-${index}`);

    const what = details({ body: { records } });

    expect(what.records).to.have.length(1000);
    expect(what.recordsTotal).to.equal(1500);
    expect(JSON.stringify(what)).to.not.include('COHORT');
  });

  it('does not list a thousand records as if there were more', () => {
    const what = details({ body: { records: Array.from({ length: 1000 }, (_, index) => `R-${index}`) } });

    expect(what.records).to.have.length(1000);
    expect(what).to.not.have.property('recordsTotal');
  });

  it('takes a comma as a part of the id of a record', () => {
    expect(details({ query: { records: ['a,b'] } })).to.deep.equal({ records: ['p(3)'] });
  });

  it('names one record by its pseudonym, without what REDCap ignores in an id', () => {
    expect(
      callDetails(
        { path: {}, query: { record: 'zoe-1' }, body: { newRecord: 'ZOE-1 ' } },
        () => '',
        (id) => recordPseudonym(id, (subject) => `<${subject}>`),
      ),
    ).to.deep.equal({ record: '<ZOE-1>', newRecord: '<ZOE-1>' });
  });

  it('names the record of the path, whatever a query or a body says', () => {
    expect(details({ path: { record: 'ada' }, query: { record: 'x' } })).to.deep.equal({ record: 'p(3)' });
  });

  it('pseudonymizes a path parameter unless it is known to name the structure', () => {
    expect(
      details({ path: { record: 'ada', email: 'ada@example.org', field: 'scan', event: 'a_arm_1' } }),
    ).to.deep.equal({ record: 'p(3)', email: 'p(15)', field: 'scan', event: 'a_arm_1' });
  });

  it('names the place in the structure that a path names, by name or number', () => {
    const path = {
      arm: '12',
      dag: 'site_a',
      id: '34',
      format: 'svg',
      instrument: 'visit_1',
      plot: 'dags',
      report: '56',
    };

    expect(details({ path })).to.deep.equal(path);
  });

  it('pseudonymizes what stands where a name of the structure is expected, and is none', () => {
    expect(details({ path: { field: 'Ada Lovelace', plot: 'ada@example.org' } })).to.deep.equal({
      field: 'p(12)',
      plot: 'p(15)',
    });
  });

  it('omits what is not a name, and lists only the names of other parameters', () => {
    const what = details({ query: { fields: 'age,Ada Lovelace', pageSize: '7', 'a b': 'c' } });

    expect(what).to.deep.equal({ fields: ['age'], fieldsTotal: 2, parameters: ['pageSize'] });
  });

  it('ignores a body that is not an object', () => {
    for (const body of [null, [], 'text', 7]) expect(details({ body })).to.deep.equal({});
  });
});

describe('filterFieldsOf', () => {
  it('finds nothing without brackets', () => {
    expect(filterFieldsOf('1 = 1')).to.deep.equal([]);
  });

  for (const [logic, names] of [
    ['[AGE] > 1', ['age']],
    ['[ age ] > 1', ['age']],
    ['[event_1_arm_1][sites(2)][last-instance] = 1', ['event_1_arm_1', 'sites']],
    ['[event-name][age] > 1', ['age']],
    ["[age:value] = '1'", ['age']],
    ["// don't\n[age] > 1 and [name] = 'x'", ['age', 'name']],
    ["[sex:label] = 1\n # it's\r\n[age] > 1", ['sex', 'age']],
    ["[name] = 'it\\'s' and [age] = 'a [value]'", ['name', 'value', 'age']],
    ["[name] = 'x\\' and [age] = 'y'", ['name', 'age']],
    ['[user-name] = "a" and [', []],
  ] as const) {
    it(`finds ${names.join(' and ') || 'nothing'} in ${JSON.stringify(logic)}`, () => {
      expect(filterFieldsOf(logic)).to.deep.equal(names);
    });
  }

  it('takes time linear in the length of any input', () => {
    for (const part of ['[a(', '[a:', "'\\", '[a', '[a ']) {
      const logic = part.repeat(50_000);
      expect(
        cpuMsOf(() => filterFieldsOf(logic)),
        part,
      ).to.be.below(2_000);
    }
  });
});
