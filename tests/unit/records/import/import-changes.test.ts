import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import type { ImportRequest, ImportOutcome } from '../../../../src/records/import/import-request.js';
import { RecordLeases } from '../../../../src/records/import/record-leases.js';
import { RecordChanges } from '../../../../src/services/record-changes.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { classicStudy } from '../../../support/studies.js';

/** Numbers as they are stored, and the same numbers in another form. */
const SAME: Readonly<Record<string, readonly [field: string, stored: string, other: string]>> = {
  'a number without its zero': ['weight', '.5', '0.5'],
  'an exponent': ['weight', '1e5', '100000'],
  'a negative exponent': ['weight', '15E-1', '1.50'],
  'a sign': ['weight', '+5', '5'],
  'zeros in front': ['age', '007', '7'],
  'a point at the end': ['weight', '5.', '5'],
  'no number below nothing': ['weight', '-0', '0'],
};

describe('Numbers in another form', () => {
  let sandbox: Awaited<ReturnType<typeof startSandboxClient>>;
  let client: CrfClient;
  let writer: RecordWriter;
  before(async () => {
    const cells = Object.values(SAME).map(([field, stored], at) => ({ id: `R-${at}`, [field]: stored }));
    sandbox = await startSandboxClient({ ...classicStudy(), rows: cells });
    client = sandbox.client;
    writer = new RecordWriter(client, { recordIdMinLength: 1 }, undefined, client);
  });
  after(() => sandbox.close());

  const write = (body: string, request: Partial<ImportRequest>): Promise<ImportOutcome> =>
    writer.write(
      Readable.from([Buffer.from(body)], { objectMode: false }),
      { format: 'json', ...request },
      { scope: 'tester' },
      { mayReadRecords: true },
    );
  const others = (): object[] =>
    Object.values(SAME).map(([field, , other], at) => ({ id: `R-${at}`, [field]: other }));

  it('are no change in a preview', async () => {
    const records = JSON.stringify({ records: others() });
    const { changes } = await write(records, { dryRun: true, changes: true });
    expect(changes?.first).to.deep.equal([]);
    expect(changes?.records).to.include({ new: 0, changed: 0, unchanged: Object.keys(SAME).length });
  });

  it('are no change in a typed round trip', async () => {
    const numbers = others().map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, name === 'id' ? value : Number(value)]),
      ),
    );
    const { changes } = await write(JSON.stringify({ records: numbers }), {
      values: 'typed',
      dryRun: true,
      changes: true,
    });
    expect(changes?.first).to.deep.equal([]);
  });

  it('are the same when they are read back', async () => {
    const { verified } = await write(JSON.stringify({ records: others() }), { verify: true, dryRun: false });
    expect(verified).to.include({ differs: 0, absent: 0 });
  });

  it('are no change of a record', async () => {
    const changes = new RecordChanges(client, writer, () => '', new RecordLeases());
    for (const [what, [field, stored, other]] of Object.entries(SAME)) {
      const at = Object.keys(SAME).indexOf(what);
      await client.importRecords([{ id: `R-${at}`, [field]: stored }], { overwriteBehavior: 'overwrite' });
      const outcome = await changes.change(`R-${at}`, [{ [field]: other }], {}, {});
      expect(outcome.changes?.first, what).to.deep.equal([]);
      const [row] = await client.exportRecords({ records: [`R-${at}`], fields: [field] });
      expect(row?.[field], what).to.equal(stored);
    }
  });

  it('are changes if they are other numbers', async () => {
    const { changes } = await write(
      '{"records":[{"id":"R-0","weight":"0.50001"},{"id":"R-1","weight":"1e6"}]}',
      { dryRun: true, changes: true },
    );
    expect(changes?.first.map(({ record }) => record)).to.deep.equal(['R-0', 'R-1']);
  });
});
