import { expect } from 'chai';
import type {
  DistributionFigures,
  FieldDistribution,
} from '../../../../src/services/summary/field-distribution.js';
import {
  withoutSmallGroups,
  type DistributedField,
} from '../../../../src/services/summary/small-distributions.js';
import { StudyRelease } from '../../../../src/services/summary/study-release.js';
import { someStudyCounts, type CountedParts } from './some-study-counts.js';

const FIGURES: DistributionFigures = {
  ...{ n: 150, missing: 50, min: 1, lowerQuartile: 20, median: 30, upperQuartile: 40, max: 99, choices: [] },
};

const DISTRIBUTION: FieldDistribution = {
  ...FIGURES,
  ...{ madeAt: '2026-11-22T00:00:00.000Z', smallCell: 0, field: 'f', label: 'F', instrument: 'visit' },
  ...{ kind: 'numbers', bins: [], by: null, parts: [] },
};

interface Case {
  readonly parts?: CountedParts;
  readonly field?: Partial<DistributedField>;
}

function told(figures: Partial<FieldDistribution>, { parts = {}, field = {} }: Case = {}): FieldDistribution {
  return withoutSmallGroups(
    { ...DISTRIBUTION, ...figures },
    { isCheckbox: false, mayBeHidden: false, ...field },
    new StudyRelease(someStudyCounts(parts), 5),
  );
}

function choices(...counts: readonly (number | null)[]): FieldDistribution['choices'] {
  return counts.map((n, index) => ({ code: String(index), label: `Choice ${index}`, n }));
}

function group(name: string, figures: Partial<DistributionFigures>): FieldDistribution['parts'][number] {
  return { ...FIGURES, part: name, label: name, ...figures };
}

describe('A distribution that is told', () => {
  it('has no minimum and no maximum, and says from which number counts are told', () => {
    expect(told({})).to.deep.equal({ ...DISTRIBUTION, min: null, max: null, smallCell: 5 });
  });

  for (const [n, median, quartile] of [
    [20, 30, 20],
    [19, 30, null],
    [10, 30, null],
    [9, null, null],
  ] as const)
    it(`has ${median === null ? 'no median' : 'a median'} and ${quartile === null ? 'no quartiles' : 'quartiles'} of ${n} values`, () => {
      const { lowerQuartile, upperQuartile, ...figures } = told({ n, missing: 200 - n });

      expect([figures.n, figures.median, lowerQuartile, upperQuartile]).to.deep.equal([
        n,
        median,
        quartile,
        quartile === null ? null : 40,
      ]);
    });

  const bins = [{ from: 0, to: 10, n: 150 }];
  for (const [why, figures, parts] of [
    ['few values are missing', { n: 197, missing: 3 }, {}],
    ['there are few values', { n: 3, missing: 197 }, {}],
    ['few forms have not been begun', { n: 100, missing: 97 }, { cells: [{ complete: 197, notBegun: 3 }] }],
    [
      'few values are empty where the field is shown',
      {},
      { fields: [{ name: 'f', shown: 153, missing: 3 }] },
    ],
    ['few values are missing data codes', {}, { fields: [{ name: 'f', shown: 200, missing: 47 }] }],
    ['few dates are unlikely', { field: 'joined' }, { records: 200, months: [100, 47], undated: 53 }],
  ] as const)
    it(`has no counts if ${why}`, () => {
      const answer = told(
        { ...figures, bins, choices: choices(150), by: 'dag', parts: [group('a', {})] },
        { parts },
      );

      expect(answer).to.deep.include({
        n: null,
        missing: null,
        bins: [],
        parts: [],
        choices: choices(null),
      });
      expect(answer).to.include({ min: null, max: null, smallCell: 5 });
    });

  it('has counts of the field that dates the records if all dates are likely', () => {
    const parts = { records: 200, months: [100, 50], undated: 50 };

    expect(told({ field: 'joined' }, { parts })).to.include({ n: 150, missing: 50 });
  });

  it('has no counts of a field that branching logic may hide, but its median', () => {
    expect(told({}, { field: { mayBeHidden: true } })).to.include({ n: null, missing: null, median: 30 });
  });

  it('has counts of a field with missing data codes if they are enough', () => {
    expect(told({}, { parts: { fields: [{ name: 'f', shown: 200, missing: 40 }] } })).to.include({
      missing: 50,
    });
  });
});

describe('The choices that are told', () => {
  for (const [counts, shown] of [
    [
      [100, 50],
      [100, 50],
    ],
    [
      [100, 47, 3],
      [100, null, null],
    ],
    [
      [150, 0],
      [150, 0],
    ],
    // Three values have no known code.
    [
      [100, 47],
      [100, null],
    ],
    [
      [80, 60],
      [80, 60],
    ],
  ] as const)
    it(`are ${JSON.stringify(shown)} for ${JSON.stringify(counts)} of 150 values`, () => {
      expect(told({ kind: 'choices', choices: choices(...counts) }).choices).to.deep.equal(choices(...shown));
    });

  for (const [counts, shown] of [
    [
      [100, 90],
      [100, 90],
    ],
    [
      [150, 90, 0],
      [150, 90, 0],
    ],
    // Three people left out the first, or selected the second.
    [
      [147, 90],
      [null, null],
    ],
    [
      [150, 90, 3],
      [null, null, null],
    ],
    // Three people selected both.
    [
      [100, 53],
      [null, null],
    ],
  ] as const)
    it(`are ${JSON.stringify(shown)} for ${JSON.stringify(counts)} of 150 values of a checkbox field`, () => {
      const field = { isCheckbox: true };

      expect(told({ kind: 'choices', choices: choices(...counts) }, { field }).choices).to.deep.equal(
        choices(...shown),
      );
    });
});

describe('The histogram that is told', () => {
  const histogram = (...counts: readonly (number | null)[]): FieldDistribution['bins'] =>
    counts.map((n, index) => ({ from: index * 10, to: index * 10 + 10, n }));

  it('has every bar with enough values', () => {
    expect(told({ bins: histogram(50, 0, 100) }).bins).to.deep.equal(histogram(50, 0, 100));
  });

  it('has neither small bars at the ends nor what lies beyond', () => {
    expect(told({ bins: histogram(4, 0, 40, 30, 73, 3) }).bins).to.deep.equal(
      histogram(4, 0, 40, 30, 73, 3).slice(2, 5),
    );
  });

  it('has a gap for a small bar, and another that the total would tell', () => {
    expect(told({ bins: histogram(60, 3, 20, 67) }).bins).to.deep.equal(histogram(60, null, null, 67));
  });

  it('is empty if no bar has enough values', () => {
    expect(told({ n: 8, missing: 192, bins: histogram(4, 4) }).bins).to.deep.equal([]);
    expect(told({ n: 0, missing: 200, bins: [] }).bins).to.deep.equal([]);
  });
});

describe('The groups that are told', () => {
  const parts = { dags: [120, 80] };
  const large = [group('s0', { n: 90, missing: 30 }), group('s1', { n: 60, missing: 20 })];
  const hide = (each: (typeof large)[number]) => ({ ...each, min: null, max: null });

  it('are all, without minimum and maximum', () => {
    expect(told({ by: 'dag', parts: large }, { parts }).parts).to.deep.equal(large.map(hide));
    expect(told({ by: 'arm', parts: large }, { parts }).parts).to.deep.equal(large.map(hide));
  });

  for (const [why, groups, options] of [
    ['a group has few values', [group('s0', { n: 3, missing: 117 }), large[1]], {}],
    ['a group lacks few values', [group('s0', { n: 117, missing: 3 }), large[1]], {}],
    ['a group has few forms that were not begun', [group('s0', { n: 87, missing: 30 }), large[1]], {}],
    [
      'a group has a small choice',
      [group('s0', { n: 90, missing: 30, choices: choices(87, 3) }), large[1]],
      {},
    ],
    [
      'a group has few values without known code',
      [group('s0', { n: 90, missing: 30, choices: choices(87) }), large[1]],
      {},
    ],
    [
      'a group has few people who left out a choice',
      [group('s0', { n: 90, missing: 30, choices: choices(87, 20) }), large[1]],
      { field: { isCheckbox: true } },
    ],
    ['a dag is small', large, { parts: { dags: [120, 77, 3] } }],
  ] as const)
    it(`are none if ${why}`, () => {
      const all = groups.flatMap((each) => (each === undefined ? [] : [each]));
      const distribution = { by: 'dag', kind: 'choices', choices: choices(100, 50), parts: all } as const;

      expect(told(distribution, { parts, ...options }).parts).to.deep.equal([]);
    });

  it('are none by arm if an event is not told', () => {
    const cells = [
      { complete: 150, notBegun: 50 },
      { complete: 3, notBegun: 197 },
    ];

    expect(told({ by: 'arm', n: 100, missing: 53, parts: large }, { parts: { cells } }).parts).to.deep.equal(
      [],
    );
  });

  it('are none if none was asked for', () => {
    expect(told({ by: null, parts: large }, { parts }).parts).to.deep.equal([]);
  });
});
