import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { batchBytes } from '../../../../../src/gateways/redcap/streams/batch-bytes.js';
import type { Batch } from '../../../../../src/gateways/redcap/streams/batched-export.js';

describe('batchBytes', () => {
  const texts = Array.from(
    { length: 600 },
    (_, index) => `{"record_id":"${index}","x":"${'y'.repeat(100)}"}`,
  );
  const expected = {
    json: `[${texts.join(',')}]`,
    ndjson: texts.map((text) => `${text}\n`).join(''),
    csv: `header\r\n${texts.map((text) => `${text}\r\n`).join('')}`,
  };

  for (const format of ['json', 'ndjson', 'csv'] as const) {
    for (const gap of [',', '\n', '\r\n', ' ,']) {
      it(`writes ${format} of rows with ${JSON.stringify(gap)} between them in memory`, async () => {
        const answer = Buffer.from(texts.join(gap));
        const before = Buffer.from(answer);
        const rows = rowsIn(answer, gap.length);
        // One that came in two chunks stands elsewhere.
        rows[200] = Buffer.from(texts[200] ?? '');

        const bytes = await buffer(batchBytes(batchesOf(rows.slice(0, 301), rows.slice(301)), { format }));

        expect(String(bytes)).to.equal(expected[format]);
        expect(answer.equals(before)).to.equal(true);
      });
    }
  }

  function rowsIn(answer: Buffer, gap: number): Buffer[] {
    let at = 0;
    return texts.map((text) => answer.subarray(at, (at += text.length + gap) - gap));
  }

  async function* batchesOf(...parts: Buffer[][]): AsyncGenerator<Batch> {
    for (const rows of parts)
      yield { rows, header: Buffer.from('header\r\n'), records: rows.length, bytes: 0, total: 600 };
  }
});
