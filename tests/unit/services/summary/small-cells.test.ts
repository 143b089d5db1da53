import { expect } from 'chai';
import fc from 'fast-check';
import { withoutSmall, withoutSmallCells } from '../../../../src/services/summary/small-cells.js';
import type { StudySummary } from '../../../../src/services/summary/study-summary.js';

const LEAST = 5;

describe('withoutSmall', () => {
  for (const [counts, shown] of [
    [
      [10, 20, 30],
      [10, 20, 30],
    ],
    [
      [0, 20],
      [0, 20],
    ],
    [
      [3, 20],
      [null, null],
    ],
    [
      [3, 20, 30],
      [null, null, 30],
    ],
    [
      [3, 4, 20],
      [null, null, 20],
    ],
    [
      [1, 1, 20, 30],
      [null, null, null, 30],
    ],
    [
      [3, 0],
      [null, 0],
    ],
  ] as const) {
    it(`shows ${JSON.stringify(shown)} for ${JSON.stringify(counts)}`, () => {
      expect(withoutSmall(counts, LEAST)).to.deep.equal(shown);
    });
  }

  it('never withholds so little that the total reveals a small count', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 8 }), (counts) => {
        const shown = withoutSmall(counts, LEAST);
        const hidden = counts.filter((_, index) => shown[index] === null);
        const sum = hidden.reduce((total, count) => total + count, 0);
        const total = counts.reduce((all, count) => all + count, 0);

        for (const count of shown) expect(count === null || count === 0 || count >= LEAST).to.equal(true);
        // Either several counts are withheld that add up to enough, or all of them.
        expect(hidden.length === 0 || sum === total || (hidden.length >= 2 && sum >= LEAST)).to.equal(true);
      }),
    );
  });
});

function summaryOf(months: number[], parts: Partial<StudySummary> = {}): StudySummary {
  let cumulated = 0;
  const periods = months.map((records, index) => {
    cumulated += records;
    return { start: `2026-${String(index + 1).padStart(2, '0')}-01`, records, cumulated, hoped: null };
  });
  return {
    madeAt: '2026-11-22T00:00:00.000Z',
    smallCell: 0,
    title: 'T',
    isLongitudinal: false,
    records: cumulated,
    fields: 1,
    instruments: 1,
    recruitment: {
      dateField: 'd',
      dateLabel: 'Day',
      isChosen: false,
      undated: 0,
      plannedStart: null,
      plannedEnd: null,
      target: null,
      months: periods,
      weeks: periods,
    },
    sites: [],
    completeness: [],
    missing: [],
    missingPercent: 12.3,
    ...parts,
  };
}

describe('withoutSmallCells', () => {
  it('merges a month with a small count into later months', () => {
    const { recruitment } = withoutSmallCells(summaryOf([10, 2, 4, 9, 3]), LEAST);

    expect(recruitment.months.map(({ cumulated }) => cumulated)).to.deep.equal([10, null, 16, null, 28]);
    expect(recruitment.months.map(({ records }) => records)).to.deep.equal([10, null, null, null, null]);
    expect(recruitment.weeks).to.deep.equal([]);
  });

  it('returns no two cumulated counts whose difference is small', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 12 }), (months) => {
        const { records, recruitment } = withoutSmallCells(summaryOf(months), LEAST);
        const shown = [0, ...recruitment.months.map(({ cumulated }) => cumulated), records].filter(
          (count): count is number => count !== null,
        );

        for (let at = 1; at < shown.length; at += 1) {
          const step = (shown[at] ?? 0) - (shown[at - 1] ?? 0);
          expect(step === 0 || step >= LEAST, JSON.stringify(shown)).to.equal(true);
        }
      }),
    );
  });

  it('returns no counts of a study with fewer records than the limit', () => {
    const site = { group: 'a', label: 'A', records: 3 };

    const summary = withoutSmallCells(summaryOf([3], { sites: [site] }), LEAST);

    expect(summary).to.deep.include({ records: null, sites: [], missingPercent: null });
    expect(summary.recruitment.months).to.deep.equal([]);
  });

  it('returns no counts per field, and no share if few values are present or missing', () => {
    const field = { field: 'f', label: 'F', instrument: 'i', hasUnreadLogic: false };
    const missing = [
      { ...field, shown: 200, missing: 50, percent: 25 },
      { ...field, shown: 200, missing: 3, percent: 1.5 },
      { ...field, shown: 200, missing: 198, percent: 99 },
    ];

    const summary = withoutSmallCells(summaryOf([200], { missing }), LEAST);

    expect(summary.missing.map(({ shown, missing: count }) => [shown, count])).to.deep.equal([
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect(summary.missing.map(({ percent }) => percent)).to.deep.equal([25, null, null]);
  });
});
