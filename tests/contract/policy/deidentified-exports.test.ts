import { expect } from 'chai';
import { BLANK_FIELD, type Field } from '../../../src/domain/dictionary/field.js';
import type { CrfCalls } from '../../../src/gateways/redcap/crf-client.js';
import { compilePolicy, viewWith } from '../../../src/policy/compile-view.js';
import { RecordKeys } from '../../../src/policy/deidentify/record-keys.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { restrict } from '../../../src/policy/restrict.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { rejection } from '../../support/rejection.js';
import { sandboxCalls } from '../../support/sandbox-client.js';
import { longitudinalStudy } from '../../support/studies.js';
import { deidentifiedBy, viewOf } from '../../support/view-of.js';

const field = (name: string, validationType = ''): Field => ({
  ...BLANK_FIELD,
  name,
  label: `The ${name}`,
  instrument: 'base',
  validationType,
});

/** Values of which some are no dates, ages or ZIP codes. */
function wholeStudy(): Study {
  const study = longitudinalStudy();
  const start = { redcap_event_name: 'start_arm_1' };
  return {
    ...study,
    project: { ...study.project, missingDataCodes: '-99, Not known' },
    fields: [field('id'), field('age', 'integer'), field('home', 'zipcode'), field('met', 'date_dmy')],
    rows: [
      { id: 'A-1', ...start, age: '94' },
      { id: 'B-2', ...start, age: '-99', home: '03601', met: '2026-02-28' },
      { id: 'C 3', ...start, age: '41', home: '02139-1000', met: '-99' },
    ],
  };
}

const POLICY = `version: 1
policies:
  analyst:
    records: all
    forms: { "*": read }
    deidentify: safe-harbor
bindings: []
`;

/** What they have is compared with a project of changed values by `npm run noninterference`. */
describe('The exports of a de-identified view', () => {
  const start = sandboxCalls();
  /** A view with other ids than any other view. */
  const restricted = async (calls: CrfCalls): Promise<CrfCalls> => {
    const set = readPolicyFile(POLICY);
    const structure = await loadProjectStructure(calls);
    const { analyst } = set.policies;
    if (analyst === undefined) throw new Error('The policy is there.');
    const compiled = compilePolicy('analyst', analyst, structure, acceptAll(set, structure));
    const keys = new RecordKeys(Buffer.alloc(32, 3), 'test', true);
    return restrict(calls, viewWith(compiled, { kind: 'all' }, '', { keys }));
  };

  it('have years under safe-harbor, where an id leads to its record only within one view', async () => {
    const calls = await start(wholeStudy());
    const [one, other] = [await restricted(calls), await restricted(calls)];

    const rows = await one.exportRecords({ fields: ['id', 'met', 'age', 'home'], events: ['start_arm_1'] });

    const values = rows.filter((row) => row.age !== '').map(({ met, age, home }) => [met, age, home]);
    expect(values).to.deep.equal([
      ['', '90', ''],
      ['2026', '-99', '000'],
      ['-99', '41', '021'],
    ]);
    const records = [String(rows[0]?.id)];
    expect(await one.exportRecords({ records, fields: ['id'] })).to.have.length.above(0);
    expect(await other.exportRecords({ records, fields: ['id'] })).to.deep.equal([]);
  });

  it('are for nobody without a key', async () => {
    const calls = await start(wholeStudy());
    const view = restrict(calls, viewOf({ deidentify: deidentifiedBy({ keys: undefined }) }));

    expect(await rejection(view.exportRecords())).to.have.property('code', 'not_in_policy');
  });
});
