import { expect } from 'chai';
import fc from 'fast-check';
import { RowChunker, type RowChunk } from '../../../../src/services/record-import/row-chunker.js';

describe('RowChunker', () => {
  const row = fc.record({ record: fc.constantFrom('a', 'b', 'c'), text: fc.string({ unit: 'grapheme' }) });

  it('gives every row once, in order and as it was, though its memory is used again', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 60, max: 400 }),
        fc.boolean(),
        (rows, maxRows, maxBytes, isGivenBackLate) => {
          const chunker = new RowChunker({ rows: maxRows, bytes: maxBytes });
          const given: unknown[] = [];
          let held: RowChunk | undefined;
          const read = (chunk: RowChunk | undefined): void => {
            if (chunk === undefined) return;
            given.push(...(JSON.parse(String(chunk.data)) as unknown[]));
            chunker.giveBack(chunk);
          };
          const take = (chunk: RowChunk | undefined): void => {
            read(isGivenBackLate ? held : chunk);
            held = chunk;
          };

          rows.forEach((cells, index) => {
            const json = JSON.stringify(cells);
            chunker.add({ record: cells.record, json, isNewInstance: false }, index).forEach(take);
          });
          take(chunker.rest());
          if (isGivenBackLate) read(held);

          expect(given).to.deep.equal(rows);
        },
      ),
    );
  });

  it('holds rows that are larger than the memory it began with', () => {
    const chunker = new RowChunker({ rows: 10, bytes: 4 * 1024 * 1024 });
    const json = JSON.stringify({ text: 'é'.repeat(500_000) });

    for (const [index, record] of ['a', 'b', 'c'].entries()) {
      chunker.add({ record, json, isNewInstance: false }, index);
    }

    expect(String(chunker.rest()?.data)).to.equal(`[${json},${json},${json}]`);
  });
});
