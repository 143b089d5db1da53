import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { planBatches } from '../../../../src/records/export/batch-plan.js';
import { exportInBatches } from '../../../../src/records/export/batched-export.js';
import { settled } from '../../../support/manual-clock.js';
import { FakeProject, recordsOf } from '../../../support/fake-project.js';

describe('A batched export', () => {
  const rows = recordsOf(100);

  for (const [concurrency, atOnce] of [
    [undefined, 4],
    [1, 1],
    [3, 3],
  ] as const) {
    it(`UP-05: requests ${atOnce} batches at once with concurrency ${concurrency ?? 'unset'}, and yields them in order`, async () => {
      const waiting: (() => void)[] = [];
      let peak = 0;
      const project = new FakeProject(rows, (answer, call) => {
        if (call === 0) return answer;
        const body = new PassThrough();
        waiting.push(() => body.end(answer));
        peak = Math.max(peak, waiting.length);
        return body;
      });
      const plan = await planBatches(project, { format: 'json', batchSize: 10, concurrency });
      const ids: string[] = [];
      let isOver = false;
      const reading = (async () => {
        for await (const batch of exportInBatches(plan))
          for (const row of batch.rows)
            ids.push((JSON.parse(String(row)) as { record_id: string }).record_id);
        isOver = true;
      })();
      // The latest request is answered first.
      while (!isOver) {
        await settled();
        if (waiting.length === Math.min(atOnce, 10))
          waiting
            .splice(0)
            .reverse()
            .forEach((answer) => answer());
        else if (ids.length > 0) waiting.pop()?.();
      }
      await reading;

      expect(peak).to.equal(atOnce);
      expect(ids).to.deep.equal(rows.map(({ record_id }) => record_id));
    });
  }
});
