import { expect } from 'chai';
import { toFindingsTable } from '../../../../src/cli/printing/findings-table.js';
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
