import { expect } from 'chai';
import { refuseCombinations, type Combination } from '../../../../src/cli/options/combinations.js';
import { FORMAT_COMBINATIONS } from '../../../../src/cli/options/export-options.js';

describe('refuseCombinations', () => {
  const rules: readonly Combination[] = [
    { option: ['missing', 'labels'], needs: 'values=typed' },
    { option: 'json', not: ['report=-', 'quiet'], why: 'name a file' },
    { option: 'instrument', not: 'label', why: ({ instrument }) => `use --forms ${String(instrument)}` },
  ];

  for (const [values, message] of [
    [{ missing: 'null', values: 'raw' }, '--missing needs --values typed'],
    [{ labels: true }, '--labels needs --values typed'],
    [{ json: true, report: '-' }, '--json cannot be combined with --report -: name a file'],
    [{ json: true, quiet: true }, '--json cannot be combined with --quiet: name a file'],
    [{ instrument: 'visit', label: true }, '--instrument cannot be combined with --label: use --forms visit'],
  ] as const) {
    it(`says: ${message}`, () => {
      expect(() => refuseCombinations(values, rules)).to.throw(message);
    });
  }

  it('takes an option that is false for one that is left out, and another value for another option', () => {
    const values = { labels: false, missing: undefined, json: true, report: 'a.csv', quiet: false };

    expect(() => refuseCombinations(values, rules)).not.to.throw();
  });
});

describe('The combinations with a format', () => {
  for (const [option, values] of [
    ['--excel', { excel: true }],
    ['--spreadsheet-safe', { 'spreadsheet-safe': true }],
    ['--raw-or-label-headers label', { 'raw-or-label-headers': 'label' }],
    ['--csv-delimiter', { 'csv-delimiter': ';' }],
  ] as const) {
    it(`refuse ${option} for JSON, and take it for CSV`, () => {
      expect(() => refuseCombinations({ ...values, format: 'json' }, FORMAT_COMBINATIONS)).to.throw(
        `${option} needs --format csv`,
      );
      expect(() => refuseCombinations({ ...values, format: 'csv' }, FORMAT_COMBINATIONS)).not.to.throw();
    });
  }
});
