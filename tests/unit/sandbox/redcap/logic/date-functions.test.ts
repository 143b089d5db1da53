import { expect } from 'chai';
import { valueOf } from './evaluate.js';

// The clock of these tests is fixed at 2026-03-01 12:30 UTC.
const DATES = [
  ["datediff('2026-01-01', '2026-01-31', 'd')", 30],
  ["datediff('2026-01-31', '2026-01-01', 'd')", 30],
  ["datediff('2026-01-31', '2026-01-01', 'd', true)", -30],
  ["datediff('2026-01-31', '2026-01-01', 'd', TRUE)", -30],
  ["datediff('2026-01-31', '2026-01-01', 'd', false)", 30],
  ["datediff('2026-01-31', '2026-01-01', 'd', 'true')", -30],
  ["datediff('2026-01-31', '2026-01-01', 'd', 'false')", 30],
  ["datediff('2026-01-31', '2026-01-01', 'd', 1)", -30],
  ["datediff('2026-01-31', '2026-01-01', 'd', 'ymd')", 30],
  ["datediff('2026-01-31', '2026-01-01', 'd', 'ymd', true)", -30],
  ["datediff('2026-01-01', '2026-01-02', 'h')", 24],
  ["datediff('2026-01-01 10:00', '2026-01-01 10:05', 'm')", 5],
  ["datediff('2026-01-01 10:00:00', '2026-01-01 10:00:07', 's')", 7],
  ["round(datediff('2020-01-01', '2026-01-01', 'y'), 2)", 6],
  ["round(datediff('2026-01-01', '2026-07-01', 'M'), 2)", 5.95],
  ["datediff('2026-02-01', 'today', 'd')", 28],
  ["datediff('today', 'now', 'h')", 12.5],
  ["datediff('2026-01-01', '2026-01-02', 'w')", ''],
  ["datediff([blank], '2026-01-02', 'd')", ''],
  ["datediff('2026-01-01', '01-02-2026', 'd')", ''],
  ["datediff('2026-01-01', '01-02-2026', 'd', 'dmy')", 31],
  ["datediff('2026-01-01', '1/2/2026 12:00', 'h', 'mdy', true)", 36],
  ["datediff('2026-01-01', '31/01/2026', 'd', 'mdy')", ''],
  ["datediff('2026-02-30', '2026-01-01', 'd')", ''],
  ["datediff('2026-13-01', '2026-01-01', 'd')", ''],
  ["datediff('2026-01-01 25:00', '2026-01-01', 'd')", ''],
  ["datediff('0050-01-01', '0050-01-02', 'd')", 1],

  ["age_at_date([born], '2026-02-28')", 29],
  ["age_at_date([born], '2026-03-01')", 30],
  ['age_at_date([born])', 30],
  ["age_at_date([born], 'today')", 30],
  ["age_at_date([born], '2026-03-01', false)", 30],
  ["round(age_at_date('2000-01-01', '2000-07-01', true), 1)", 0.5],
  ["age_at_date([blank], '2026-03-01')", ''],
  ["age_at_date([born], 'some day')", ''],

  ["dayoftheweek('2026-03-02')", 1],
  ["dayoftheweek('2026-03-01')", 7],
  ['year([born])', 1996],
  ['month([born])', 2],
  ['day([born])', 29],
  ["year('0050-01-01')", 50],
  ['year([blank])', ''],
  ["day('tomorrow')", ''],
] as const;

describe('The date functions of the logic', () => {
  for (const [source, value] of DATES) {
    it(`return ${value === '' ? 'blank' : value} for ${source}`, () => {
      expect(valueOf(source)).to.equal(value);
    });
  }
});
