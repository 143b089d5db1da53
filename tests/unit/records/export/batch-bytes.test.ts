import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { batchBytes } from '../../../../src/records/export/batch-bytes.js';
import type { Batch } from '../../../../src/records/export/batched-export.js';

describe('batchBytes', () => {
  const sizes = [100, 3, 20_000, 65_536, 1, 200_000];
  const texts = Array.from(
    { length: 600 },
    (_, index) =>
      `{"record_id":"${index}","x":"${'y'.repeat(index % 50 === 7 ? (sizes[index % 6] ?? 0) : 100)}"}`,
  );
  const expected = {
    json: `[${texts.join(',')}]`,
    ndjson: texts.map((text) => `${text}\n`).join(''),
    csv: `header\r\n${texts.map((text) => `${text}\r\n`).join('')}`,
  };

  for (const format of ['json', 'ndjson', 'csv'] as const) {
    it(`writes the rows of all batches as ${format}`, async () => {
      const bytes = await buffer(batchBytes(batchesOf([0, 250], [250, 251], [251, 600]), { format }));

      expect(String(bytes)).to.equal(expected[format]);
    });

    it(`yields large chunks of ${format}`, async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of batchBytes(batchesOf([0, 300], [300, 600]), { format })) chunks.push(chunk);

      expect(String(Buffer.concat(chunks))).to.equal(expected[format]);
      expect(chunks.length).to.be.lessThan(30);
    });
  }

  async function* batchesOf(...spans: readonly (readonly [number, number])[]): AsyncGenerator<Batch> {
    for (const [from, to] of spans) {
      const rows = texts.slice(from, to).map((text) => Buffer.from(text));
      const ids = rows.map((_, index) => String(from + index));
      const header = Buffer.from('header\r\n');
      yield await Promise.resolve({ rows, ids, header, records: ids.length, bytes: 0, total: 600 });
    }
  }
});
