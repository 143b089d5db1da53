import { expect } from 'chai';
import { hopedBy, MONTHS, recruitmentBy, WEEKS } from '../../../../src/services/summary/recruitment.js';

const TODAY = '2026-06-30';

describe('recruitmentBy', () => {
  it('is empty without a date', () => {
    expect(recruitmentBy(MONTHS, new Map([['', 7]]), {}, TODAY)).to.deep.equal([]);
  });

  it('has no gaps between the first and the last record', () => {
    const byDay = new Map([
      ['2025-12-31', 1],
      ['2026-03-02', 2],
    ]);

    const months = recruitmentBy(MONTHS, byDay, {}, TODAY);

    expect(months.map(({ start, records, cumulated }) => [start, records, cumulated])).to.deep.equal([
      ['2025-12-01', 1, 1],
      ['2026-01-01', 0, 1],
      ['2026-02-01', 0, 1],
      ['2026-03-01', 2, 3],
    ]);
  });

  it('starts weeks on Monday, across the end of a year', () => {
    const weeks = recruitmentBy(WEEKS, new Map([['2026-01-01', 1]]), {}, TODAY);

    expect(weeks.map(({ start }) => start)).to.deep.equal(['2025-12-29']);
  });

  it('continues to today during the planned period', () => {
    const plan = { start: '2026-02-01', end: '2026-12-31', target: 100 };

    const months = recruitmentBy(MONTHS, new Map([['2026-03-05', 1]]), plan, TODAY);

    expect(months.map(({ start }) => start)).to.deep.equal([
      '2026-02-01',
      '2026-03-01',
      '2026-04-01',
      '2026-05-01',
      '2026-06-01',
    ]);
  });

  it('ignores mistyped dates, which would stretch the plot over a thousand years', () => {
    const byDay = new Map([
      ['0000-01-01', 1],
      ['1026-01-01', 1],
      ['2026-01-01', 2],
      ['2026-13-01', 1],
      ['2206-01-01', 1],
    ]);

    for (const interval of [MONTHS, WEEKS]) {
      const periods = recruitmentBy(interval, byDay, { start: '0001-01-01' }, TODAY);
      expect(periods.map(({ records, cumulated }) => [records, cumulated])).to.deep.equal([[2, 2]]);
    }
  });
});

describe('hopedBy', () => {
  const plan = { start: '2026-01-01', end: '2026-12-31', target: 365 };

  it('interpolates linearly from the planned start to the target', () => {
    expect(
      ['2026-01-01', '2026-01-02', '2026-07-02', '2027-01-01'].map((day) => hopedBy(day, plan)),
    ).to.deep.equal([0, 1, 182, 365]);
  });

  it('is null without a target', () => {
    expect(hopedBy('2026-01-01', { start: '2026-01-01', end: '2026-12-31' })).to.equal(null);
  });
});
