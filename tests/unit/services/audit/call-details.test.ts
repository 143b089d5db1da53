import { expect } from 'chai';
import { callDetails } from '../../../../src/services/audit/call-details.js';
import { filterFieldsOf } from '../../../../src/services/audit/filter-fields.js';

const details = (asked: Partial<Parameters<typeof callDetails>[0]>) =>
  callDetails({ path: {}, query: {}, body: undefined, ...asked }, (subject) => `p(${subject.length})`);

describe('callDetails', () => {
  it('names fields, instruments and events, however the list is written', () => {
    expect(
      details({ query: { fields: 'age,weight', 'forms[]': ['visit_1'], 'events[0]': 'a_arm_1' } }),
    ).to.deep.equal({ fields: ['age', 'weight'], forms: ['visit_1'], events: ['a_arm_1'] });
  });

  it('tells which fields a filter asks for, and none of its values', () => {
    const what = details({
      query: { filterLogic: `[age] > 40 and [name] = '[Ada] Lovelace' and [sites(2)] = "1"` },
    });

    expect(what).to.deep.equal({ filterFields: ['age', 'name', 'sites'] });
  });

  it('says of records how many, and who only by pseudonym', () => {
    const records = Array.from({ length: 150 }, (_, index) => `COHORT-${index}`);

    const what = details({ body: { records } });

    expect(what.records).to.have.length(100);
    expect(what.recordsTotal).to.equal(150);
    expect(JSON.stringify(what)).to.not.include('COHORT');
  });

  it('takes a parameter of the path for a person unless it is known to be structure', () => {
    expect(
      details({ path: { recordId: 'ada', email: 'ada@example.org', field: 'scan', event: 'a_arm_1' } }),
    ).to.deep.equal({ recordId: 'p(3)', email: 'p(15)', field: 'scan', event: 'a_arm_1' });
  });

  it('leaves out what is no name, and tells the names alone of other parameters', () => {
    const what = details({ query: { fields: 'age,Ada Lovelace', pageSize: '7', 'a b': 'c' } });

    expect(what).to.deep.equal({ fields: ['age'], fieldsTotal: 2, parameters: ['pageSize'] });
  });

  it('reads a body that is no object as nothing', () => {
    for (const body of [null, [], 'text', 7]) expect(details({ body })).to.deep.equal({});
  });
});

describe('filterFieldsOf', () => {
  it('finds nothing where nothing is in brackets', () => {
    expect(filterFieldsOf('1 = 1')).to.deep.equal([]);
  });
});
