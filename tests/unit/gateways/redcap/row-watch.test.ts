import { expect } from 'chai';
import fc from 'fast-check';
import { watchCsvRows, watchJsonRows, type RowWatch } from '../../../../src/gateways/redcap/row-watch.js';
import { chunksOf } from '../../../support/fake-project.js';

const text = fc.string({
  unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', '\\', '{', '}', '[', ']', '},{"a'),
  maxLength: 8,
});
const rows = fc.array(fc.record({ record_id: text, note: text }), { minLength: 1, maxLength: 12 });
const size = fc.integer({ min: 1, max: 60 });
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('RowWatch', () => {
  it('counts the rows of any JSON array, however its chunks are cut', () => {
    fc.assert(
      fc.property(rows, size, fc.constantFrom(undefined, 1), (sent, bytes, indent) => {
        const watch = watchJsonRows();
        expect(isWhole(watch, JSON.stringify(sent, null, indent), bytes)).to.equal(true);
        expect(watch.rows).to.equal(sent.length);
      }),
      { numRuns: 300 },
    );
  });

  it('LIB-04: knows JSON that is cut at any byte from a whole array', () => {
    fc.assert(
      fc.property(rows, size, share, (sent, bytes, part) => {
        const whole = JSON.stringify(sent);
        expect(isWhole(watchJsonRows(), whole.slice(0, whole.length * part), bytes)).to.equal(false);
      }),
      { numRuns: 300 },
    );
  });

  it('LIB-04: counts the rows of any CSV, and knows one whose last row is cut', () => {
    fc.assert(
      fc.property(rows, size, fc.constantFrom('\n', '\r\n'), (sent, bytes, lineEnd) => {
        const line = (cells: readonly string[]): string => cells.map(quoted).join(',') + lineEnd;
        const before = line(['record_id', 'note']) + sent.map((row) => line(Object.values(row))).join('');
        const watch = watchCsvRows();

        expect(isWhole(watch, before, bytes)).to.equal(true);
        expect(watch.rows).to.equal(sent.length);
        for (const end of ['last', '"last,', '"last",""", ', '1,2,3', `1${lineEnd}`])
          expect(isWhole(watchCsvRows(), before + end, bytes), end).to.equal(false);
      }),
      { numRuns: 300 },
    );
  });

  it('LIB-04: knows CSV with a row of another width in its middle', () => {
    expect(isWhole(watchCsvRows(), 'a,b\n1,2\n1,2,3\n1,2\n', 5)).to.equal(false);
  });
});

function isWhole(watch: RowWatch, body: string, bytes: number): boolean {
  for (const chunk of chunksOf(Buffer.from(body), bytes)) watch.take(chunk);
  return watch.isWhole();
}

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
