import { expect } from 'chai';
import fc from 'fast-check';
import { StudyRelease } from '../../../../src/services/summary/study-release.js';
import type { CompletenessCell } from '../../../../src/services/summary/study-summary.js';
import { someStudyCounts, type CountedParts } from './some-study-counts.js';

const LEAST = 5;

function released(parts: CountedParts): StudyRelease {
  return new StudyRelease(someStudyCounts(parts), LEAST);
}

/** The counts of each cell: records, complete, unverified, incomplete, not begun. */
function cellsOf(release: StudyRelease): (number | null)[][] {
  return release.summary.completeness.map(
    ({ records, complete, unverified, incomplete, notBegun }: CompletenessCell) => [
      records,
      complete,
      unverified,
      incomplete,
      notBegun,
    ],
  );
}

const NONE = [null, null, null, null];

describe('The recruitment that is told', () => {
  it('merges a month with a small count into later months', () => {
    const { recruitment, smallCell } = released({ months: [10, 2, 4, 9, 3] }).summary;

    expect(smallCell).to.equal(5);
    expect(recruitment.months.map(({ cumulated }) => cumulated)).to.deep.equal([10, null, 16, null, 28]);
    expect(recruitment.months.map(({ records }) => records)).to.deep.equal([10, null, null, null, null]);
    expect(recruitment.weeks).to.deep.equal([]);
  });

  it('does not tell a month with nobody between two with few, beside which each would have somebody', () => {
    const { months } = released({ months: [10, 2, 0, 4] }).summary.recruitment;

    expect(months.map(({ records }) => records)).to.deep.equal([10, null, null, null]);
  });

  it('keeps months that have nobody or enough', () => {
    const { months } = released({ months: [10, 0, 5] }).summary.recruitment;

    expect(months.map(({ records, cumulated }) => [records, cumulated])).to.deep.equal([
      [10, 10],
      [0, 10],
      [5, 15],
    ]);
  });

  it('leaves out the last sum if it would tell how few records have no date', () => {
    const { recruitment, records } = released({ months: [10, 10], undated: 2 }).summary;

    expect([records, recruitment.undated]).to.deep.equal([22, null]);
    expect(recruitment.months.map(({ cumulated }) => cumulated)).to.deep.equal([10, null]);
  });

  it('says how many records have no date if they are enough', () => {
    const { recruitment } = released({ months: [10], undated: 6 }).summary;

    expect([recruitment.undated, recruitment.months[0]?.cumulated]).to.deep.equal([6, 10]);
  });

  it('has no two cumulated counts whose difference is small', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 12 }),
        fc.nat({ max: 8 }),
        (months, undated) => {
          const { records, recruitment } = released({ months, undated }).summary;
          const shown = [0, ...recruitment.months.map(({ cumulated }) => cumulated), records].filter(
            (count): count is number => count !== null,
          );

          for (let at = 1; at < shown.length; at += 1) {
            const step = (shown[at] ?? 0) - (shown[at - 1] ?? 0);
            expect(step === 0 || step >= LEAST, JSON.stringify(shown)).to.equal(true);
          }
        },
      ),
    );
  });
});

describe('The summary that is told', () => {
  it('has no counts of a study with fewer records than the limit', () => {
    const release = released({ months: [4], dags: [4], fields: [{ name: 'f', shown: 4, missing: 0 }] });

    expect(release.summary).to.deep.include({
      ...{ records: null, smallCell: 5, dags: [], missing: [], missingPercent: null },
    });
    expect(release.summary.recruitment).to.deep.include({ undated: null, months: [], weeks: [] });
    expect(cellsOf(release)).to.deep.equal([[null, ...NONE]]);
    expect(release.mayTell('f', 'visit')).to.equal(false);
  });

  it('has the counts of a study with as many records as the limit, and of one without any', () => {
    expect(cellsOf(released({ records: 5 }))).to.deep.equal([[5, 5, 0, 0, 0]]);
    expect(cellsOf(released({ records: 0 }))).to.deep.equal([[0, 0, 0, 0, 0]]);
    expect(released({ records: 0 }).summary.records).to.equal(0);
  });

  it('leaves out a small data access group and another, which the total would tell', () => {
    const { summary } = released({ dags: [120, 77, 3] });

    expect(summary.dags.map(({ records }) => records)).to.deep.equal([120, null, null]);
  });
});

describe('The forms that are told', () => {
  const cases: readonly (readonly [string, CountedParts, (number | null)[][], boolean])[] = [
    [
      'all of them',
      { cells: [{ complete: 150, incomplete: 20, notBegun: 30 }] },
      [[200, 150, 0, 20, 30]],
      true,
    ],
    [
      'no small status, and no other that the number of forms would tell',
      { cells: [{ complete: 150, unverified: 3, incomplete: 20, notBegun: 27 }] },
      [[200, 150, null, null, 27]],
      true,
    ],
    [
      'nothing of forms that few have not begun',
      { cells: [{ complete: 197, notBegun: 3 }] },
      [[200, ...NONE]],
      false,
    ],
    [
      'nothing of forms that few have begun',
      { cells: [{ complete: 3, notBegun: 197 }] },
      [[200, ...NONE]],
      false,
    ],
    [
      'nothing of an event with few forms, nor of another, which the sum of the events would tell',
      { cells: [{}, { complete: 150, notBegun: 50 }, { complete: 3, notBegun: 197 }] },
      [
        [200, 200, 0, 0, 0],
        [200, ...NONE],
        [200, ...NONE],
      ],
      true,
    ],
    [
      'nothing of two events with few forms, nor of a third, if they are few together',
      { cells: [{}, { complete: 2, notBegun: 198 }, { complete: 2, notBegun: 198 }] },
      [
        [200, ...NONE],
        [200, ...NONE],
        [200, ...NONE],
      ],
      true,
    ],
    [
      'nothing of two events that lack few forms, nor of a third, if they lack few together',
      {
        cells: [
          { complete: 100, notBegun: 100 },
          { complete: 198, notBegun: 2 },
          { complete: 198, notBegun: 2 },
        ],
      },
      [
        [200, ...NONE],
        [200, ...NONE],
        [200, ...NONE],
      ],
      true,
    ],
    [
      'nothing of any event, nor of their sum, if all forms together are few',
      {
        cells: [
          { complete: 2, notBegun: 198 },
          { complete: 0, notBegun: 200 },
        ],
      },
      [
        [200, ...NONE],
        [200, ...NONE],
      ],
      false,
    ],
    [
      'nothing of any event, nor of their sum, if all lack few together',
      { cells: [{}, { complete: 197, notBegun: 3 }] },
      [
        [200, ...NONE],
        [200, ...NONE],
      ],
      false,
    ],
    [
      'the forms of a repeating instrument, of which records have many',
      { cells: [{ isRepeating: true, complete: 203, notBegun: 100 }] },
      [[200, 203, 0, 0, 100]],
      true,
    ],
    [
      'nothing of a repeating instrument with few further instances',
      { cells: [{ isRepeating: true, complete: 103, notBegun: 100 }] },
      [[200, ...NONE]],
      false,
    ],
    [
      'nothing of a repeating instrument that few records have',
      { cells: [{ isRepeating: true, complete: 60, notBegun: 197 }] },
      [[200, ...NONE]],
      false,
    ],
    [
      'nothing of the arms if one is small',
      { arms: [200, 3], cells: [{ records: 200 }, { records: 3, complete: 0, notBegun: 3 }] },
      [
        [null, ...NONE],
        [null, ...NONE],
      ],
      false,
    ],
    [
      'nothing of the arms if few records are not in one of them',
      { arms: [197, 50], cells: [{ records: 197, complete: 197 }] },
      [[null, ...NONE]],
      false,
    ],
    [
      'nothing of the arms if few records are in several',
      { arms: [103, 100], cells: [{ records: 103, complete: 103 }] },
      [[null, ...NONE]],
      false,
    ],
    [
      'the arms if all are large',
      {
        arms: [120, 80],
        cells: [
          { records: 120, complete: 120 },
          { records: 80, complete: 80 },
        ],
      },
      [
        [120, 120, 0, 0, 0],
        [80, 80, 0, 0, 0],
      ],
      true,
    ],
    [
      'no number of forms that nearly all records of several arms have',
      {
        arms: [190, 10],
        cells: [
          { records: 190, complete: 190 },
          { records: 10, complete: 7, notBegun: 3 },
        ],
      },
      [
        [190, ...NONE],
        [10, ...NONE],
      ],
      false,
    ],
  ];
  for (const [what, parts, cells, isTotalTold] of cases)
    it(`are ${what}`, () => {
      const release = released(parts);

      expect(cellsOf(release)).to.deep.equal(cells);
      // A calculated field is not counted by the summary: only its forms decide.
      expect(release.mayTell('calculated', 'visit')).to.equal(isTotalTold);
    });

  it('do not decide about another instrument', () => {
    expect(released({}).mayTell('f', 'nonesuch')).to.equal(false);
  });
});

describe('The fields that are told', () => {
  const field = (name: string, shown: number, missing: number) => ({ name, shown, missing });

  it('have a whole percentage and no counts, and are left out if few values are empty, present or hidden', () => {
    const { summary } = released({
      fields: [
        field('told', 200, 51),
        field('few empty', 200, 3),
        field('few present', 200, 198),
        field('few hidden', 198, 50),
        field('never empty', 200, 0),
        field('hardly shown', 4, 0),
        { ...field('few present where it is shown', 150, 50), stray: 97 },
        { ...field('few shown', 150, 0), stray: 147 },
        { ...field('hidden on few forms', 195, 50), stray: 1 },
      ],
    });

    expect(
      summary.missing.map(({ field: name, shown, missing, percent }) => [name, shown, missing, percent]),
    ).to.deep.equal([
      ['told', null, null, 26],
      ['never empty', null, null, 0],
    ]);
    expect(summary.missingPercent).to.equal(13);
  });

  it('have no percentage if the number of forms is not told', () => {
    const cells = [{ complete: 197, notBegun: 3 }];
    const release = released({ cells, fields: [field('f', 197, 50)] });

    expect(release.summary).to.deep.include({ missing: [], missingPercent: null });
    expect([release.mayTell('f', 'visit'), release.emptyOf('f')]).to.deep.equal([false, undefined]);
  });

  it('have a distribution under the same conditions', () => {
    const release = released({ fields: [field('told', 200, 51), field('few', 200, 3)] });

    expect(
      ['told', 'few'].map((name) => [release.mayTell(name, 'visit'), release.emptyOf(name)]),
    ).to.deep.equal([
      [true, 51],
      [false, undefined],
    ]);
  });

  it('include the one that dates the records', () => {
    const release = released({ months: [10, 20] });

    expect(['joined', 'other'].map((name) => release.datedBy(name))).to.deep.equal([30, undefined]);
    expect(released({}).datedBy('joined')).to.equal(0);
  });
});

describe('Groups of records', () => {
  it('are told by data access group if every group is', () => {
    expect(released({ dags: [100, 100] }).maySplit('dag', 'visit')).to.equal(true);
    expect(released({ dags: [100, 97, 3] }).maySplit('dag', 'visit')).to.equal(false);
  });

  it('are told by arm if every arm and every event is', () => {
    const cells = [
      { complete: 150, notBegun: 50 },
      { complete: 3, notBegun: 197 },
    ];

    expect(released({}).maySplit('arm', 'visit')).to.equal(true);
    expect(released({ arms: [200, 3] }).maySplit('arm', 'visit')).to.equal(false);
    expect(released({ cells }).maySplit('arm', 'visit')).to.equal(false);
    expect(released({}).maySplit('arm', 'nonesuch')).to.equal(false);
  });

  it('are told if the forms that they lack are none or enough, at one event or at all', () => {
    const one = released({});
    const two = released({ cells: [{}, {}] });
    const repeating = released({ cells: [{ isRepeating: true }] });
    const arms = released({
      arms: [100, 100],
      cells: [
        { records: 100, complete: 100 },
        { records: 100, complete: 100 },
      ],
    });
    const mayCompare = (release: StudyRelease, forms: number) => release.mayCompare(50, forms, 'visit');

    expect([50, 47, 45, 53, 97].map((forms) => mayCompare(one, forms))).to.deep.equal([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect([97, 100, 95, 47].map((forms) => mayCompare(two, forms))).to.deep.equal([false, true, true, true]);
    expect(mayCompare(repeating, 47)).to.equal(true);
    expect([97, 47, 45].map((forms) => mayCompare(arms, forms))).to.deep.equal([false, false, true]);
  });
});
