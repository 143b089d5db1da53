import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { mayHaveArrived } from '../../../src/gateways/redcap/call-errors.js';
import type { Fault } from '../../support/fault-server.js';
import { rejection } from '../../support/rejection.js';
import { EXPORTS, withFaults } from '../../support/fault-client.js';

const WHOLE: Fault = { kind: 'answer', body: EXPORTS.json };
const BUSY: Fault = { kind: 'hang', at: 'body', body: EXPORTS.json, fraction: 0.5 };

/** Settings for a single turn, which an export occupies; other calls are soon refused. */
const ONE_TURN = {
  timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 60_000 },
  resilience: { concurrency: 1, queueLimit: 1, queueWaitMs: 20 },
};

describe('A call that continues an operation in progress', () => {
  it('waits for its turn when another call is refused', async () => {
    await withFaults(
      (_, index) => (index === 0 ? BUSY : WHOLE),
      async ({ client }) => {
        const body = await client.openRecords({ format: 'json' });
        const patient = client.openRecords({ format: 'json', isContinuation: true });
        const refused = await rejection(client.openRecords({ format: 'json' }));
        expect(refused).to.have.property('code', 'overloaded');

        body.destroy();
        expect(await text(await patient)).to.equal(EXPORTS.json);
      },
      ONE_TURN,
    );
  });

  it('UP-03: waits no longer than the total time', async () => {
    await withFaults(
      () => BUSY,
      async ({ client }) => {
        const body = await client.openRecords({ format: 'json' });
        const error = await rejection(client.openRecords({ format: 'json', isContinuation: true }));

        expect(error).to.include({ code: 'upstream_timeout', phase: 'queue' });
        expect(mayHaveArrived(error)).to.equal(false);
        body.destroy();
      },
      { ...ONE_TURN, resilience: { ...ONE_TURN.resilience, totalMs: 300 } },
    );
  });

  it('lets a batched export continue while other calls are refused because the queue is full', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => ({
      record_id: `participant-${String(index).padStart(8, '0')}`,
    }));
    const answer = (body: unknown): Fault => ({ kind: 'answer', body: JSON.stringify(body) });
    let busy: Promise<unknown> | undefined;
    await withFaults(
      ({ form }) => {
        if (form.get('content') === 'metadata')
          return answer([{ field_name: 'record_id', form_name: 'a', field_type: 'text' }]);
        const asked = [...form].filter(([name]) => name.startsWith('records')).map(([, id]) => id);
        return answer(asked.length === 0 ? rows : rows.filter(({ record_id }) => asked.includes(record_id)));
      },
      async ({ client }) => {
        const seen: unknown[] = [];
        const refusals: unknown[] = [];
        for await (const row of client.streamRecords({ batchSize: 10, concurrency: 1 })) {
          seen.push(row.record_id);
          // Another export takes the only turn, and holds it longer than a call may wait.
          busy ??= client.openRecords({ format: 'json' }).then(async (body) => {
            refusals.push(await rejection(client.getVersion()));
            await pause(5 * ONE_TURN.resilience.queueWaitMs);
            body.destroy();
          });
        }
        await busy;
        expect(seen).to.deep.equal(rows.map(({ record_id }) => record_id));
        expect(refusals).to.have.length(1);
      },
      ONE_TURN,
    );
  });

  it('IN-15: lets a verified import read back what it has stored while other calls are refused', async () => {
    const row = { record_id: 'participant-00000001' };
    const metadata = [{ field_name: 'record_id', form_name: 'a', field_type: 'text' }];
    const answer = (body: unknown): Fault => ({ kind: 'answer', body: JSON.stringify(body) });
    let keepBusy: (() => Promise<void>) | undefined;
    let busy: Promise<void> | undefined;
    await withFaults(
      ({ form }) => {
        if (form.get('content') === 'metadata') return answer(metadata);
        if (form.get('content') === 'project') return answer({ project_id: 1 });
        if (!form.has('data')) return answer(form.get('content') === 'record' ? [row] : []);
        busy = keepBusy?.();
        return answer({ count: 1 });
      },
      async ({ client }) => {
        const refusals: unknown[] = [];
        // Another export waits for the only turn, gets it after the import, and holds it longer than a call may wait.
        keepBusy = async () => {
          const body = await client.openRecords({ format: 'json', isContinuation: true });
          refusals.push(await rejection(client.getVersion()));
          await pause(5 * ONE_TURN.resilience.queueWaitMs);
          body.destroy();
        };
        const { verified } = await client.importRecords([row], { verify: true });
        await busy;

        expect(verified).to.deep.include({ differs: 0, absent: 0 });
        expect(refusals).to.have.length(1);
      },
      ONE_TURN,
    );
  });
});
