import { expect } from 'chai';
import fc from 'fast-check';
import type { InvalidRequestError } from '../../../../src/domain/errors/caller-errors.js';
import type { RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { edited } from '../../../support/edited-rows.js';
import { STUDY } from '../../../support/random-import-study.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { classicStudy } from '../../../support/studies.js';

const KEYS = ['record_id', 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];

/** The cells of a project, where an unset box or status is 0, and blanks at the end of a text are nothing. */
function cellsOf(rows: readonly RecordRow[]): Map<string, string> {
  return new Map(
    rows.flatMap((row) =>
      Object.entries(row).map(([name, value]): [string, string] => [
        JSON.stringify([...KEYS.map((key) => row[key] ?? ''), name]),
        `${value}`.replaceAll('\r\n', '\n').trimEnd() || (/___|_complete$/.test(name) ? '0' : ''),
      ]),
    ),
  );
}

describe('IN-21: Rows that were read', () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 12 });

  for (const onConflict of ['fields', 'theirs'] as const)
    it(`are merged with what somebody else has changed since, by onConflict: ${onConflict}`, async () => {
      await fc.assert(
        fc.asyncProperty(STUDY, edits, edits, async (study, edit, others) => {
          const sandbox = await startSandboxClient(study);
          const { client } = sandbox;
          try {
            const seen = await client.exportRecords();
            const mine = edited(seen, edit);
            const ways = { overwriteBehavior: 'overwrite', recordIdMinLength: 1, changes: true } as const;
            await client.importRecords(edited(seen, others), ways);
            const meanwhile = await client.exportRecords();
            const merging = client.importRecords(mine, {
              ...{ ...ways, seen: seen, onConflict },
            });
            const outcome = await merging.catch((error: unknown) => error);
            const after = cellsOf(await client.exportRecords());

            const [then, theirs, ours] = [cellsOf(seen), cellsOf(meanwhile), cellsOf(mine)];
            const isConflict = (key: string): boolean =>
              ours.has(key) && theirs.get(key) !== then.get(key) && ours.get(key) !== theirs.get(key);
            const conflicts = [...after.keys()].filter(isConflict);
            if (onConflict === 'fields' && conflicts.length > 0) {
              expect(outcome).to.have.property('code', 'precondition_failed');
              expect(after).to.deep.equal(theirs);
              return;
            }
            expect(outcome).to.have.property('count');
            for (const [key, value] of after)
              expect(value, key).to.equal((isConflict(key) || !ours.has(key) ? theirs : ours).get(key));
          } finally {
            await sandbox.close();
          }
        }),
        { numRuns: 40 },
      );
    });

  it('say nothing of records that appeared, and do not bring back one that was deleted', async () => {
    const sandbox = await startSandboxClient(classicStudy());
    const { client } = sandbox;
    const seen = [{ id: '2', age: '30' }];
    const ways = { changes: true, recordIdMinLength: 1, seen } as const;
    await client.records.delete(['2']);
    const refused = await rejection(client.importRecords([{ id: '2', age: '31' }], ways));
    expect(refused).to.have.property('code', 'precondition_failed');
    expect(refused).to.have.nested.property('errors[0].field', 'id');
    await client.importRecords([{ id: '12', age: '31' }], ways);
    const left = await client.importRecords(
      [
        { id: '2', age: '31' },
        { id: '12', age: '32' },
      ],
      { ...ways, seen: [...seen, { id: '12', age: '31' }], onConflict: 'theirs' },
    );
    expect(left).to.deep.include({ count: 1 });
    expect(left.conflicts?.count).to.equal(1);
    expect((await client.exportRecords({ fields: ['id'] })).map(({ id }) => id)).to.not.include('2');
    await sandbox.close();
  });

  it('need changes, and every column that is stored', async () => {
    const sandbox = await startSandboxClient(classicStudy());
    const refusalOf = async (options: object) => {
      const call = sandbox.client.importRecords([{ id: '2', age: '31' }], {
        recordIdMinLength: 1,
        ...options,
      });
      const error: unknown = await rejection(call);
      return (error as InvalidRequestError).errors.map(({ field, message }) => `${field} ${message}`);
    };
    const seen = [{ id: '2', age: '30' }];
    expect(await refusalOf({ seen })).to.deep.equal(['seen needs changes: true, without dryRun']);
    expect(await refusalOf({ seen, changes: true, dryRun: true })).to.deep.equal([
      'seen needs changes: true, without dryRun',
    ]);
    expect(await refusalOf({ changes: true, seen: [{ id: '2' }] })).to.deep.equal([
      'rows[0].age must be a column of seen too',
    ]);
    expect(await refusalOf({ changes: true, onConflict: 'theirs' })).to.deep.equal([
      'onConflict needs seen: the rows as they were read',
    ]);
    await sandbox.close();
  });
});
