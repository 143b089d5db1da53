import { expect } from 'chai';
import fc from 'fast-check';
import { changedCell, type CellRule } from '../../../../src/policy/deidentify/cell-rules.js';
import { MAX_SHIFT_DAYS } from '../../../../src/policy/deidentify/record-keys.js';

const change = (rule: CellRule, value: string, days = 10, firstYear?: number): string =>
  changedCell(rule, value, { days, firstYear });

const SHIFT = { kind: 'shift' } as const;
const YEAR = { kind: 'year' } as const;
const AGE = { kind: 'age', top: 90 } as const;
const ZIP = { kind: 'zip' } as const;

describe('changedCell', () => {
  const cases: [rule: CellRule, value: string, expected: string][] = [
    [SHIFT, '2026-03-05', '2026-02-23'],
    [SHIFT, '2026-01-05 23:59', '2025-12-26 23:59'],
    [SHIFT, '2024-03-05 00:00:01', '2024-02-24 00:00:01'],
    [SHIFT, '0001-01-05', '0000-12-26'],
    [SHIFT, '0000-01-05', ''],
    [SHIFT, '2026-02-30', ''],
    [SHIFT, '2026-13-01', ''],
    [SHIFT, '05/03/2026', ''],
    [SHIFT, '2026-03-05 25:00', ''],
    [SHIFT, '2026-03-05 call her mother', ''],
    [SHIFT, 'Ada, born 1936', ''],
    [YEAR, '2026-03-05', '2026'],
    [YEAR, '2026-03-05 10:00', '2026'],
    [YEAR, '2026', ''],
    [YEAR, 'x 2026-03-05', ''],
    [AGE, '89', '89'],
    [AGE, '89.9', '89.9'],
    [AGE, '90', '90'],
    [AGE, '104', '90'],
    [AGE, '90,5', '90'],
    [AGE, '89,5', '89,5'],
    [AGE, 'about 104', ''],
    [AGE, '-1', ''],
    [ZIP, '02139', '021'],
    [ZIP, '02139-4307', '021'],
    [ZIP, '03601', '000'],
    [ZIP, '20500', '000'],
    [ZIP, '36901', '000'],
    [ZIP, '2139', ''],
    [ZIP, 'Cambridge 02139', ''],
  ];
  for (const [rule, value, expected] of cases)
    it(`${rule.kind}: ${value} becomes ${expected === '' ? 'blank' : expected}`, () => {
      expect(change(rule, value)).to.equal(expected);
    });

  it('puts years together that tell of a high age', () => {
    expect(change(YEAR, '1931-01-01', 1, 1936)).to.equal('1936');
    expect(change(YEAR, '1937-01-01', 1, 1936)).to.equal('1937');
  });

  it('keeps every interval between the dates of a record, and leaves none where it was', () => {
    const day = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(day, day, fc.integer({ min: 1, max: MAX_SHIFT_DAYS }), (one, other, days) => {
        const [first, second] = [change(SHIFT, one, days), change(SHIFT, other, days)];

        expect(Date.parse(second) - Date.parse(first)).to.equal(Date.parse(other) - Date.parse(one));
        expect(Date.parse(one) - Date.parse(first)).to.equal(days * 86_400_000);
      }),
    );
  });

  it('shows no text that has another form than the rule is for', () => {
    const shapes: [CellRule, RegExp][] = [
      [SHIFT, /^(?:\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?)?$/],
      [YEAR, /^(?:\d{4})?$/],
      [AGE, /^(?:[0-9]|[1-8][0-9]|90)?(?:[.,]\d+)?$/],
      [ZIP, /^(?:\d{3})?$/],
    ];
    for (const [rule, shape] of shapes)
      fc.assert(fc.property(fc.string(), (value) => shape.test(change(rule, value))));
  });
});
