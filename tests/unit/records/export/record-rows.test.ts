import { expect } from 'chai';
import fc from 'fast-check';
import { BatchRows, ByteListPool } from '../../../../src/records/export/batch-rows.js';
import { IdRange } from '../../../../src/records/export/id-list.js';
import { RecordRows } from '../../../../src/records/export/record-rows.js';

describe('RecordRows', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const row = fc.tuple(fc.constantFrom(...ids, 'stranger'), fc.string({ unit: 'grapheme', maxLength: 5 }));
  const answer = fc.array(row, { maxLength: 40 });

  it('keeps each row of each record once, in order of arrival', () => {
    const pool = new ByteListPool();
    fc.assert(
      fc.property(answer, (sent) => {
        const memory = pool.take();
        const rows = new RecordRows(IdRange.of(ids), memory);
        for (const [id, text] of sent) expect(add(rows, id, text)).to.equal(ids.includes(id));

        const expected = ids.map((id) => [
          ...new Set(sent.filter(([of]) => of === id).map(([, text]) => text)),
        ]);
        expect(ids.map((id) => [...rows.rowsOf(id)].map(String))).to.deep.equal(expected);
        expect(ids.map((id) => rows.has(id))).to.deep.equal(expected.map((texts) => texts.length > 0));
        expect(rows.size).to.equal(expected.filter((texts) => texts.length > 0).length);
        expect([...rows.rowsOf('stranger')]).to.deep.equal([]);
        pool.giveBack(memory);
      }),
    );
  });

  it('are joined in the order of the ids, whichever answer contained them', () => {
    const pool = new ByteListPool();
    const [first, second] = [pool.take(), pool.take()];
    const early = new RecordRows(IdRange.of(ids), first);
    const late = new RecordRows(IdRange.of(['b', 'd']), second);
    for (const id of ['c', 'a', 'a']) add(early, id, `${id}1`);
    for (const id of ['d', 'b']) add(late, id, `${id}2`);

    const batch = new BatchRows(IdRange.of(ids), [
      { rows: early, memory: first },
      { rows: late, memory: second },
    ]);
    expect([...batch].map(String)).to.deep.equal(['a1', 'b2', 'c1', 'd2']);
    batch.release(pool);
    expect([pool.take(), pool.take()]).to.have.members([first, second]);
  });
});

describe('ByteListPool', () => {
  it('discards memory that a batch of large records needed', () => {
    const pool = new ByteListPool();
    const memory = pool.take();
    memory.add(Buffer.alloc(9 * 1024 * 1024), 0, 9 * 1024 * 1024);
    pool.giveBack(memory);

    expect(pool.take()).not.to.equal(memory);
  });
});

function add(rows: RecordRows, id: string, text: string): boolean {
  const source = Buffer.from(`<${text}>`);
  return rows.add(id, source, 1, source.length - 1);
}
