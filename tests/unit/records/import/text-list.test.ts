import { expect } from 'chai';
import fc from 'fast-check';
import { TextList } from '../../../../src/records/import/row-chunker.js';

describe('TextList', () => {
  it('returns the texts in order, repeatedly, and new ones after it was cleared', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 3000 }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), (rounds) => {
        const list = new TextList();
        for (const round of rounds) {
          list.clear();
          for (const text of round) list.add(text);

          expect([...list]).to.deep.equal(round);
          expect([...list]).to.deep.equal(round);
          expect(list.length).to.equal(round.length);
        }
      }),
    );
  });

  it('grows beyond its initial memory', () => {
    const list = new TextList();
    const texts = Array.from({ length: 5000 }, (_, at) => `COHORT-2026-${at}`);
    for (const text of texts) list.add(text);
    expect([...list]).to.deep.equal(texts);
  });
});
