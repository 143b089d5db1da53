import { expect } from 'chai';
import fc from 'fast-check';
import { UpstreamInvalidError } from '../../../../src/domain/errors/upstream-errors.js';
import { delimiterByte, type CsvDelimiter } from '../../../../src/gateways/redcap/csv-delimiter.js';
import { csvCells, CsvRowSplitter } from '../../../../src/gateways/redcap/csv-row-splitter.js';
import { chunksOf } from '../../../support/fake-project.js';

describe('CsvRowSplitter', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'ü') });
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })));

  it('returns the cells of any table, however its chunks are split', () => {
    fc.assert(
      fc.property(
        table,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom(',' as const, ';' as const),
        (rows, size, lineEnd, delimiter) => {
          const text = rows.map((cells) => cells.map(quoted).join(delimiter) + lineEnd).join('');

          const found = split(Buffer.from(text), size, delimiter).map((row) =>
            csvCells(row, delimiterByte(delimiter)),
          );

          expect(found).to.deep.equal(rows);
        },
      ),
    );
  });

  it('LIB-04: finds a row of another width wherever it lies in memory', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.nat(3),
        (rows, place, offset) => {
          const wide = place % rows.length;
          const lines = rows.map((cells, at) => (at === wide ? [...cells, 'x'] : cells));
          const text = ['a,b,c', ...lines.map((cells) => cells.map(quoted).join(','))].join('\n');
          const bytes = Buffer.from(' '.repeat(offset) + text).subarray(offset);

          expect(() => split(bytes, bytes.length)).to.throw(UpstreamInvalidError, 'than its header');
          expect(() => split(bytes, 64)).to.throw(UpstreamInvalidError, 'than its header');
        },
      ),
    );
  });

  it('returns a last row without a line break, and skips blank lines', () => {
    expect(split(Buffer.from('a,b\n\n1,2\n\r\n3,4'), 2).map(String)).to.deep.equal(['a,b', '1,2', '3,4']);
  });

  it('refuses input that ends inside a quoted cell', () => {
    expect(() => split(Buffer.from('a\n"b\n'), 2)).to.throw(UpstreamInvalidError, 'inside a CSV cell');
  });

  for (const [wrong, text] of [
    ['a narrow row', 'a,b\n1,2\n3\n4,5\n'],
    ['a wide row', 'a,b\n1,2,3\n4,5\n'],
    ['a narrow last row', 'a,b\n1,2\n3\n'],
    ['a wide last row without line end', 'a,b\n1,2\n3,"4",5'],
  ] as const) {
    it(`LIB-04: refuses ${wrong}, however its chunks are split`, () => {
      for (const size of [1, 2, 3, 100])
        expect(() => split(Buffer.from(text), size)).to.throw(UpstreamInvalidError, 'than its header');
    });
  }

  it('refuses a row larger than the limit', () => {
    const splitter = new CsvRowSplitter(delimiterByte(','), { maxRecordBytes: 10 });

    expect(() => splitter.push(Buffer.from('"234567890123'), () => undefined)).to.throw(
      UpstreamInvalidError,
      'larger',
    );
  });

  it('reads the cells after a byte order mark', () => {
    expect(csvCells(Buffer.from('\uFEFF"record_id",b'), delimiterByte(','))).to.deep.equal([
      'record_id',
      'b',
    ]);
  });
});

function quoted(value: string): string {
  return /[",;\s]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function split(bytes: Buffer, size: number, delimiter: CsvDelimiter = ','): Buffer[] {
  const rows: Buffer[] = [];
  const splitter = new CsvRowSplitter(delimiterByte(delimiter));
  const onRow = (source: Buffer, start: number, end: number): void =>
    void rows.push(Buffer.from(source.subarray(start, end)));
  for (const chunk of chunksOf(bytes, size)) splitter.push(chunk, onRow);
  splitter.end(onRow);
  return rows;
}
