import { expect } from 'chai';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { RowCounter } from '../../../../src/cli/files/row-counter.js';

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '}', '{', ',', '\n', '\r', 'é', '\u2028') });
const rows = fc.array(fc.record({ id: text, note: text }), { minLength: 1, maxLength: 8 });

const WRITERS = {
  json: (values: object[]) => JSON.stringify(values),
  ndjson: (values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join(''),
  csv: (values: object[]) => stringify(values, { header: true, columns: ['id', 'note'] }),
};

describe('RowCounter', () => {
  for (const format of ['json', 'ndjson', 'csv'] as const) {
    it(`counts the rows of ${format}, however it is split, and changes no byte`, async () => {
      await fc.assert(
        fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (values, size) => {
          const bytes = Buffer.from(WRITERS[format](values));
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
            bytes.subarray(index * size, (index + 1) * size),
          );
          const counter = new RowCounter(format, () => undefined);

          const out = await buffer(Readable.from(chunks).pipe(counter));

          expect(counter.rows).to.equal(values.length);
          expect(out.equals(bytes)).to.be.true;
        }),
        { numRuns: 50 },
      );
    });
  }
});
