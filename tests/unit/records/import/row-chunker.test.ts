import { expect } from 'chai';
import fc from 'fast-check';
import type { RowPlace } from '../../../../src/records/import/input-item.js';
import { RowChunker, type RowChunk } from '../../../../src/records/import/row-chunker.js';

describe('RowChunker', () => {
  const row = fc.record({ record: fc.constantFrom('a', 'b', 'c'), text: fc.string({ unit: 'grapheme' }) });

  it('returns every row once, in order and unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 60, max: 400 }),
        (rows, maxRows, maxBytes) => {
          const chunker = new RowChunker({ rows: maxRows, bytes: maxBytes });

          const chunks = [
            ...rows.flatMap((cells, index) =>
              chunker.add(
                { record: cells.record, json: JSON.stringify(cells), isNewInstance: false },
                placeOf(index),
              ),
            ),
            chunker.rest(),
          ].filter((chunk) => chunk !== undefined);

          expect(chunks.flatMap(({ data }) => JSON.parse(String(data)) as unknown[])).to.deep.equal(rows);
          expect(chunks.flatMap(({ places }) => places)).to.deep.equal(
            rows.map((_, index) => placeOf(index)),
          );
        },
      ),
    );
  });

  it('describes the content of each chunk, and splits no record that would fit', () => {
    const rows = fc.array(fc.record({ record: fc.constantFrom('a', 'é', 'c'), isNew: fc.boolean() }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 20, max: 200 }),
        (sent, maxRows, maxBytes) => {
          const chunker = new RowChunker({ rows: maxRows, bytes: maxBytes });
          const chunks = [
            ...sent.flatMap(({ record, isNew }, index) =>
              chunker.add({ record, json: JSON.stringify({ index }), isNewInstance: isNew }, placeOf(index)),
            ),
            chunker.rest(),
          ].filter((chunk) => chunk !== undefined);

          let from = 0;
          for (const [at, chunk] of chunks.entries()) {
            const inside = sent.slice(from, chunk.endRow);
            const next = sent[chunk.endRow]?.record;
            const records = inside.map(({ record }) => record);
            expect(indexesOf(chunk)).to.deep.equal(inside.map((_, index) => from + index));
            expect([...chunk.records]).to.deep.equal(
              records.filter((record, index) => record !== records[index - 1]),
            );
            expect(chunk.lastRecord).to.equal(records.at(-1));
            expect(chunk.hasNewInstance).to.equal(inside.some(({ isNew }) => isNew));
            expect(chunk.isCutInside).to.equal(next === chunk.lastRecord && at < chunks.length - 1);
            if (chunk.isCutInside) expect(new Set(records).size).to.equal(1);
            expect(inside.length).to.be.at.most(maxRows);
            if (inside.length > 1) expect(chunk.data.length).to.be.at.most(maxBytes);
            from = chunk.endRow;
          }
          expect(from).to.equal(sent.length);
        },
      ),
    );
  });

  it('holds rows larger than its initial memory', () => {
    const chunker = new RowChunker({ rows: 10, bytes: 4 * 1024 * 1024 });
    const json = JSON.stringify({ text: 'é'.repeat(500_000) });

    for (const [index, record] of ['a', 'b', 'c'].entries()) {
      chunker.add({ record, json, isNewInstance: false }, placeOf(index));
    }

    expect(String(chunker.rest()?.data)).to.equal(`[${json},${json},${json}]`);
  });
});

function placeOf(index: number): RowPlace {
  return { row: index + 1, line: index + 2 };
}

function indexesOf({ data }: RowChunk): number[] {
  return (JSON.parse(String(data)) as { readonly index: number }[]).map(({ index }) => index);
}
