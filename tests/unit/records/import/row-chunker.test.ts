import { expect } from 'chai';
import fc from 'fast-check';
import { RowChunker, type RowChunk } from '../../../../src/records/import/row-chunker.js';

describe('RowChunker', () => {
  const row = fc.record({ record: fc.constantFrom('a', 'b', 'c'), text: fc.string({ unit: 'grapheme' }) });

  it('returns every row once, in order and unchanged, although its memory is reused', () => {
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
            const json = Buffer.from(JSON.stringify(cells));
            chunker.add({ record: cells.record, json, isNewInstance: false }, index).forEach(take);
          });
          take(chunker.rest());
          if (isGivenBackLate) read(held);

          expect(given).to.deep.equal(rows);
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
              chunker.add(
                { record, json: Buffer.from(JSON.stringify({ index })), isNewInstance: isNew },
                index,
              ),
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
    const json = Buffer.from(JSON.stringify({ text: 'é'.repeat(500_000) }));

    for (const [index, record] of ['a', 'b', 'c'].entries()) {
      chunker.add({ record, json, isNewInstance: false }, index);
    }

    const text = json.toString();
    expect(String(chunker.rest()?.data)).to.equal(`[${text},${text},${text}]`);
  });
});

function indexesOf({ data }: RowChunk): number[] {
  return (JSON.parse(String(data)) as { readonly index: number }[]).map(({ index }) => index);
}
