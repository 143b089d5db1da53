import { expect } from 'chai';
import { importSummary, importWarnings } from '../../../../src/cli/printing/import-summary.js';
import { say } from '../../../../src/domain/errors/sentences.js';
import type { ImportWarning } from '../../../../src/records/import/warnings/import-warning.js';

const WARNING: ImportWarning = {
  record: 'A-1',
  event: 'start_arm_1',
  instrument: 'base',
  instance: null,
  field: 'weight',
  rule: 'hidden_value',
  ...say('hidden'),
  row: 2,
  line: 3,
};

describe('importSummary', () => {
  it('counts the warnings of a dry run by rule and lists the first ones', () => {
    const first = Array.from({ length: 12 }, () => WARNING);
    const rules = { hidden_value: 11, required_empty: 1, other_arm: 1, out_of_range: 0, invalid_value: 0 };
    const warnings = { count: 12, rules, first };

    const outcome = { count: 3, batches: 1, dryRun: true as const, warnings };
    const lines = importWarnings(outcome).join('\n').split('\n');

    expect(lines[0]).to.equal(
      'Warning: 11 values in hidden fields, 1 record would begin another arm, 1 required field empty. REDCap would store this all the same.',
    );
    expect(lines[1]).to.equal('  line 3, A-1, start_arm_1: weight is hidden by branching logic');
    expect(lines.slice(11)).to.deep.equal(['  and 2 more; --report FILE lists all']);
    expect(importSummary(outcome)).to.equal('Valid: 3 records, 1 call to REDCap. Nothing was sent; checked');
  });
});
