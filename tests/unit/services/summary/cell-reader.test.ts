import { expect } from 'chai';
import fc from 'fast-check';
import { UpstreamInvalidError } from '../../../../src/domain/errors/upstream-errors.js';
import { CellReader } from '../../../../src/services/summary/cell-reader.js';

describe('CellReader', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ü', '-'), maxLength: 6 });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 70 }), { maxLength: 6 });

  it('returns the cells of any table, however it is split, with or without a final line break', () => {
    fc.assert(
      fc.property(
        table,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (rows, size, lineEnd, isEnded) => {
          const text = rows.map((cells) => cells.map(quoted).join(',')).join(lineEnd);

          expect(read(isEnded ? text + lineEnd : text, size)).to.deep.equal(rows);
        },
      ),
    );
  });

  it('skips blank lines, and reads a quoted empty cell as a row', () => {
    expect(read('a\n\n1\n\r\n""\n2', 2)).to.deep.equal([['a'], ['1'], [''], ['2']]);
  });

  it('refuses input that ends inside a quoted cell', () => {
    for (const size of [1, 100]) {
      expect(() => read('a\n"b\n', size)).to.throw(UpstreamInvalidError, 'inside a CSV cell');
    }
  });

  it('refuses a row larger than 16 MiB', () => {
    const reader = new CellReader(() => undefined);
    const push = (): void => reader.push(Buffer.alloc(9 * 1024 * 1024, 'x'));
    push();

    expect(push).to.throw(UpstreamInvalidError, 'larger');
  });

  it('tells whether a cell is empty, a single byte or equal to given bytes', () => {
    const reader = new CellReader((cells) => {
      expect([0, 1, 2, 9, -1].map((index) => cells.isEmpty(index))).to.deep.equal([
        false,
        true,
        false,
        true,
        true,
      ]);
      expect([0, 1, 2, 9, -1].map((index) => cells.onlyByte(index))).to.deep.equal([-1, -1, 0x32, -1, -1]);
      expect(cells.equals(0, Buffer.from('ab'))).to.equal(true);
      expect(cells.equals(0, Buffer.from('a'))).to.equal(false);
    });
    reader.push(Buffer.from('"ab",,2\n'));
  });
});

function quoted(value: string): string {
  return value === '' || /[",\s]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function read(text: string, size: number): string[][] {
  const rows: string[][] = [];
  const reader = new CellReader((cells) =>
    rows.push(Array.from({ length: cells.count }, (_, index) => cells.text(index))),
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end();
  return rows;
}
