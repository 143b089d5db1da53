import { expect } from 'chai';
import fc from 'fast-check';
import { RecordRows } from '../../../../src/records/export/fetch-batch.js';

describe('RecordRows', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const row = fc.tuple(fc.constantFrom(...ids, 'stranger'), fc.string({ unit: 'grapheme', maxLength: 5 }));
  const answer = fc.array(row, { maxLength: 40 });

  it('keeps each row of each record once, in order of arrival', () => {
    fc.assert(
      fc.property(answer, (sent) => {
        const rows = new RecordRows(ids);
        for (const [id, text] of sent) expect(rows.add(id, Buffer.from(text))).to.equal(ids.includes(id));

        const expected = ids.map((id) => [
          ...new Set(sent.filter(([of]) => of === id).map(([, text]) => text)),
        ]);
        expect(ids.map((id) => rows.rowsOf(id).map(String))).to.deep.equal(expected);
        expect(ids.map((id) => rows.has(id))).to.deep.equal(expected.map((texts) => texts.length > 0));
        expect(rows.size).to.equal(expected.filter((texts) => texts.length > 0).length);
        expect(rows.rowsOf('stranger')).to.deep.equal([]);
      }),
    );
  });
});
