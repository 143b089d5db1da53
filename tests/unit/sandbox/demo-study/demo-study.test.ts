import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { FIELD_TYPES } from '../../../support/some-field.js';
import { AMBIGUOUS_EMAIL, participantId } from '../../../../src/sandbox/demo-study/demo-rows.js';
import { createDemoStudy, DEMO_TOKEN } from '../../../../src/sandbox/demo-study/demo-study.js';
import { SeededRandom } from '../../../../src/sandbox/demo-study/made-up.js';

describe('The demo study', () => {
  it('is the same at every start, and differs by seed', () => {
    expect(createDemoStudy()).to.deep.equal(createDemoStudy());
    expect(createDemoStudy({ seed: 1 }).rows).to.deep.equal(createDemoStudy({ seed: 1 }).rows);
    expect(createDemoStudy({ seed: 1 }).rows).not.to.deep.equal(createDemoStudy({ seed: 2 }).rows);
  });

  it('has the same first participants if there are fewer of them', () => {
    const [few, many] = [
      createDemoStudy({ participants: 5 }).rows,
      createDemoStudy({ participants: 50 }).rows,
    ];

    expect(many.slice(0, few.length)).to.deep.equal(few);
  });

  it('has 250 participants whose ids sort in numeric order', () => {
    const ids = [...new Set(createDemoStudy().rows.map((row) => row.record_id ?? ''))];

    expect(ids).to.have.length(250);
    expect(ids[0]).to.equal(participantId(1)).and.to.equal('COHORT-2026-PARTICIPANT-0001');
    expect([...ids].sort()).to.deep.equal(ids);
  });

  it('starts with the people that the documentation names', () => {
    const people = createDemoStudy().rows.filter((row) => row.redcap_repeat_instrument === undefined);

    expect(people[0]).to.include({ first_name: 'Ada', email: 'ada.lovelace@example.org', age: '36' });
    expect(people[1]).to.include({ first_name: 'Alan', userid: 'alan.turing' });
  });

  it('has one address that two people share, under different user ids', () => {
    const shared = createDemoStudy().rows.filter((row) => row.email === AMBIGUOUS_EMAIL);

    expect(shared).to.have.length(2);
    expect(new Set(shared.map((row) => row.userid)).size).to.equal(2);
  });

  it('uses only addresses at example.org, which is reserved for examples', () => {
    const addresses = createDemoStudy().rows.flatMap((row) => (row.email === undefined ? [] : [row.email]));

    expect(addresses).to.have.length.above(200);
    for (const address of addresses) expect(address).to.match(/@example\.org$/);
    for (const { email } of createDemoStudy().users) expect(email).to.match(/@example\.org$/);
  });

  it('conforms to its dictionary, cell by cell', () => {
    const study = createDemoStudy();
    const dictionary = new DataDictionary(study.fields);

    for (const { redcap_repeat_instrument: _, redcap_repeat_instance: __, ...row } of study.rows) {
      for (const [column, value] of Object.entries(row)) {
        expect(dictionary.column(column), column).not.to.equal(undefined);
        expect(dictionary.validateValue(column, value), column).to.equal(undefined);
      }
    }
  });

  it('has every field type', () => {
    const types = new Set(createDemoStudy().fields.map(({ type }) => type));

    expect(FIELD_TYPES.filter((type) => !types.has(type))).to.deep.equal([]);
  });

  it('has repeated visits, numbered from 1 without gaps', () => {
    const visits = new Map<string, string[]>();
    for (const row of createDemoStudy().rows) {
      if (row.redcap_repeat_instrument !== 'follow_up') continue;
      const id = row.record_id ?? '';
      visits.set(id, [...(visits.get(id) ?? []), row.redcap_repeat_instance ?? '']);
    }

    expect(visits.size).to.be.within(100, 200);
    for (const numbers of visits.values()) {
      expect(numbers).to.deep.equal(numbers.map((_number, index) => String(index + 1)));
    }
  });

  it('has one token with all rights, which is the one in the documentation', () => {
    const managers = createDemoStudy().users.filter(
      ({ rights }) => rights.api_export > 0 && rights.api_import > 0 && rights.record_delete > 0,
    );

    expect(managers.map(({ token }) => token)).to.deep.equal([DEMO_TOKEN]);
  });
});

describe('The seeded random numbers', () => {
  it('stay between 0 and 1, and within the requested bounds', () => {
    const random = new SeededRandom(7);

    for (let round = 0; round < 2_000; round += 1) {
      expect(random.next()).to.be.within(0, 1).and.not.to.equal(1);
      expect(random.integer(3, 5)).to.be.oneOf([3, 4, 5]);
      expect(random.pick(['a', 'b'])).to.be.oneOf(['a', 'b']);
      expect(random.around(10, 2)).to.be.within(7, 13);
    }
  });

  it('never choose a probability of 0, and always choose a probability of 1', () => {
    const random = new SeededRandom(7);

    for (let round = 0; round < 200; round += 1) {
      expect(random.chance(0)).to.equal(false);
      expect(random.chance(1)).to.equal(true);
    }
  });

  it('pick every item eventually', () => {
    const random = new SeededRandom(7);
    const seen = new Set(Array.from({ length: 200 }, () => random.pick(['a', 'b', 'c', 'd'])));

    expect(seen.size).to.equal(4);
  });
});
