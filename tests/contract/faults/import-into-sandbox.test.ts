import { expect } from 'chai';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { RecordWriter } from '../../../src/services/record-writer.js';
import { startFaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { rejection } from '../../support/rejection.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { id } from '../../support/import-project.js';

const CHUNK = 10;
const ROWS = Array.from({ length: 80 }, (_, at) => ({ record_id: id(at), last_name: `Name ${at}` }));

/**
 * A writer for the sandbox. Calls with earlier rows are slower, and the answer to the call with row `lostAt` is lost.
 */
async function withSlowSandbox(
  lostAt: number | undefined,
  test: (scene: {
    import: () => Promise<unknown>;
    stored: () => Promise<string[]>;
    peak: () => number;
  }) => Promise<void>,
): Promise<void> {
  const sandbox = await startTestSandbox();
  const front = await startFaultServer(async (request) => {
    const rows = JSON.parse(request.form.get('data') ?? '[]') as { record_id: string }[];
    const answer = await forward(sandbox.url, request);
    if (rows.length === 0) return answer;
    await pause(20 + ((97 * Number(rows[0]?.record_id.slice(-6))) % 60));
    return rows.some(({ record_id }) => record_id === id(lostAt ?? -1)) ? { kind: 'reset' } : answer;
  });
  const client = createCrfClient({ url: front.url, token: sandbox.token, resilience: { maxRetries: 0 } });
  const direct = createCrfClient({ url: sandbox.url, token: sandbox.token });
  const writer = new RecordWriter(client, { batchSize: CHUNK });
  try {
    await test({
      import: () =>
        writer.write(
          Readable.from([Buffer.from(JSON.stringify(ROWS))], { objectMode: false }),
          { format: 'json' },
          { scope: 'test' },
        ),
      stored: async () => {
        const rows = await direct.exportRecords({ fields: ['record_id', 'last_name'] });
        return rows.map(({ last_name }) => String(last_name)).filter((name) => name.startsWith('Name '));
      },
      peak: front.peak,
    });
  } finally {
    client.close();
    direct.close();
    await front.close();
    await sandbox.close();
  }
}

describe('An import into a slow REDCap', () => {
  it('UP-05: is stored completely, with at most four calls at once', async () => {
    await withSlowSandbox(undefined, async (scene) => {
      expect(await scene.import()).to.include({ count: 80, batches: 8 });
      expect(scene.peak()).to.equal(4);
      expect((await scene.stored()).sort()).to.deep.equal(ROWS.map(({ last_name }) => last_name).sort());
    });
  });

  for (const lostAt of [5, 15, 45, 75]) {
    it(`UP-08: reports the outcome exactly if the answer to the call with row ${lostAt} is lost`, async () => {
      await withSlowSandbox(lostAt, async (scene) => {
        const from = lostAt - (lostAt % CHUNK);

        const error = await rejection(scene.import());

        const stored = await scene.stored();
        // The uncertain rows were stored in this case.
        expect(error).to.deep.include({ isUncertain: true, doubtful: [{ from, to: from + CHUNK }] });
        expect(error).to.include({ resumeFrom: from, stored: stored.length - CHUNK });
        const later = error['storedLater'] as { from: number; to: number }[];
        const reported = ROWS.filter(
          (_, at) => at < from + CHUNK || later.some((range) => range.from <= at && at < range.to),
        );
        expect(stored.sort()).to.deep.equal(reported.map(({ last_name }) => last_name).sort());
      });
    });
  }
});
