import { expect } from 'chai';
import fc from 'fast-check';
import { csvCell } from '../../../../src/services/row-output/row-bytes.js';
import { rowTally, type CountedForm } from '../../../../src/services/row-output/row-tally.js';

/** Texts that resemble the boundary between two rows. */
const value = fc.oneof(
  fc.string(),
  fc.constantFrom('},{"', '},{', '"},{"', '[{', '\n', '"', 'a\nb', '},{"a":"b"', '\\'),
);
const rows = fc.array(fc.record({ record_id: fc.string({ minLength: 1 }), note: value }), { maxLength: 12 });

describe('rowTally', () => {
  it('property: counts the rows of compact JSON, however it is split', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 200 }), (all, size) => {
        expect(count(JSON.stringify(all), { format: 'json', isCompact: true }, size)).to.equal(all.length);
      }),
    );
  });

  it('property: counts the rows of JSON with any white space between its tokens', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 20 }), fc.nat({ max: 4 }), (all, size, indent) => {
        expect(count(JSON.stringify(all, null, indent), { format: 'json' }, size)).to.equal(all.length);
      }),
    );
  });

  it('property: counts the rows of NDJSON, with and without a trailer', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 20 }), (all, size) => {
        const text = all.map((row) => `${JSON.stringify(row)}\n`).join('');
        expect(count(text, { format: 'ndjson' }, size)).to.equal(all.length);
        expect(count(`${text}{"_complete":true}\n`, { format: 'ndjson', hasTrailer: true }, size)).to.equal(
          all.length,
        );
      }),
    );
  });

  it('property: counts the rows of CSV, ignoring line breaks in values', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 20 }), fc.constantFrom('\n', '\r\n'), (all, size, end) => {
        const text = ['id,note', ...all.map(({ note }) => `1,"${note.replaceAll('"', '""')}"`)].join(end);
        expect(count(text, { format: 'csv' }, size)).to.equal(all.length);
      }),
    );
  });

  it('property: counts the rows of CSV whose long cells are quoted only if necessary', () => {
    const cell = fc.oneof(value, fc.stringMatching(/^[a-z",\n ]{0,40}$/));
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 3, maxLength: 3 })),
        fc.integer({ min: 1, max: 300 }),
        (all, size) => {
          const lines = all.map((cells) => ['1', ...cells].map((text) => csvCell(text)).join(','));
          expect(count(['id,a,b,c', ...lines, ''].join('\n'), { format: 'csv' }, size)).to.equal(all.length);
        },
      ),
    );
  });

  it('counts the rows of unquoted CSV, ignoring blank lines', () => {
    for (const size of [1, 2, 7, 100])
      expect(count('id,note\r\n1,a\r\n\r\n2,b\n\n3,', { format: 'csv' }, size)).to.equal(3);
  });

  it('counts nothing in an empty export', () => {
    expect(count('[]', { format: 'json' }, 1)).to.equal(0);
    expect(count('', { format: 'csv' }, 1)).to.equal(0);
    expect(count('id,note\n', { format: 'csv' }, 3)).to.equal(0);
  });
});

function count(text: string, form: CountedForm, size: number): number {
  const tally = rowTally(form);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) tally.take(bytes.subarray(at, at + size));
  return tally.rows;
}
