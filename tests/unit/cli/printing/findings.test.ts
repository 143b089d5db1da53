import { expect } from 'chai';
import { summaryOfFindings, toFindingsTable } from '../../../../src/cli/printing/findings.js';
import { say } from '../../../../src/domain/errors/sentences.js';
import type { QualityFinding } from '../../../../src/records/rules/quality-finding.js';

const FINDING: QualityFinding = {
  record: '1',
  event: '',
  instrument: 'base',
  instance: null,
  field: 'age',
  rule: 'required_empty',
  ...say('required_empty'),
};

describe('toFindingsTable', () => {
  it('omits the columns that are empty in every finding', () => {
    expect(toFindingsTable([FINDING])).to.equal(
      'RECORD  FIELD  FINDING\n1       age    is required and empty\n',
    );
  });

  it('shows event and instance if a finding has them', () => {
    const repeated = { ...FINDING, event: 'visit_arm_1', instance: 2 };

    expect(toFindingsTable([FINDING, repeated]).split('\n')[0]).to.equal(
      'RECORD  EVENT        INSTANCE  FIELD  FINDING',
    );
  });

  it('is empty without findings', () => {
    expect(toFindingsTable([])).to.equal('');
  });
});

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
