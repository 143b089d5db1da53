import { expect } from 'chai';
import { summaryOfFindings } from '../../../../src/cli/printing/summary-of-findings.js';

describe('summaryOfFindings', () => {
  it('prints one line for each rule with findings, the most frequent first', () => {
    const rules = { out_of_range: 2, hidden_value: 0, required_empty: 11 };

    expect(summaryOfFindings({ records: 250, findings: 13, rules })).to.equal(
      '250 records checked:\n  11  required_empty\n   2  out_of_range\n',
    );
  });

  it('prints a single line if there are no findings', () => {
    expect(summaryOfFindings({ records: 1, findings: 0, rules: { out_of_range: 0 } })).to.equal(
      '1 record checked.\n',
    );
  });
});
