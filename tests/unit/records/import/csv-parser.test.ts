import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import fc from 'fast-check';
import { CSV_DELIMITERS } from '../../../../src/gateways/redcap/csv-delimiter.js';
import { CsvParser } from '../../../../src/records/import/csv-parser.js';
import type { InputRow } from '../../../../src/records/import/input-item.js';
import { InputErrors } from '../../../../src/records/import/input-errors.js';

const CELL = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', '"', '""', ',', ';', '\t', 'a,b', 'a\nb', 'a\r\nb', '\r', ' ', 'ü€😀'),
);

/** Returns the rows of a parser, by column. */
function itemsOf(body: Buffer, size: number, delimiter?: string): InputRow[] {
  const parser = new CsvParser(delimiter, 1_000_000, new InputErrors());
  const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.subarray(at * size, (at + 1) * size),
  );
  return [...pieces.flatMap((piece) => [...parser.push(piece)]), ...parser.end()];
}

/** Returns the header and the cells of the rows. */
function rowsOf(body: Buffer, size: number, delimiter?: string): (readonly string[])[] {
  const items = itemsOf(body, size, delimiter);
  return [items[0]?.columns ?? [], ...items.map(({ columns, row }) => columns.map((name) => `${row[name]}`))];
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

describe('CsvParser', () => {
  it('reads the same as csv-parse, however the input is split', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4 }).chain((columns) =>
          fc.tuple(
            fc.uniqueArray(
              CELL.filter((name) => name !== ''),
              { minLength: columns, maxLength: columns },
            ),
            fc.array(fc.array(CELL, { minLength: columns, maxLength: columns }), {
              minLength: 1,
              maxLength: 8,
            }),
          ),
        ),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom(...Object.values(CSV_DELIMITERS)),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        ([header, others], lineEnd, delimiter, size, isQuoted) => {
          const rows = [header, ...others];
          const mustQuote = (cell: string): boolean => isQuoted || /["\r\n,;\t|^]/.test(cell);
          const text = rows
            .map((cells) => cells.map((cell) => (mustQuote(cell) ? quoted(cell) : cell)).join(delimiter))
            .join(lineEnd);
          const parsed: string[][] = parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true, record_delimiter: lineEnd }); // prettier-ignore
          const expected = parsed.filter((cells) => cells.some((cell) => cell !== ''));

          expect(rowsOf(Buffer.from(text), size, delimiter)).to.deep.equal(
            expected.length === 1 ? [[]] : expected,
          );
        },
      ),
      { numRuns: 400 },
    );
  });

  for (const [name, delimiter] of Object.entries(CSV_DELIMITERS)) {
    it(`recognizes the ${name} delimiter from the header, however the input is split`, () => {
      const text = `\r\n"record_id"${delimiter}age${delimiter}note\r\nA${delimiter}1${delimiter}"x,y;z"\r\n`;

      for (let size = 1; size < text.length; size++) {
        expect(rowsOf(Buffer.from(text), size)).to.deep.equal([
          ['record_id', 'age', 'note'],
          ['A', '1', 'x,y;z'],
        ]);
      }
    });
  }

  for (const [line, delimiter] of [
    ['sep=;', ';'],
    ['SEP=,', ','],
    ['"sep=|"', '|'],
    ['sep=\t', '\t'],
  ] as const) {
    it(`takes the delimiter from a first line ${JSON.stringify(line)}, however the input is split`, () => {
      const text = `${line}\r\nrecord_id${delimiter}age\r\nA${delimiter}1\r\n`;

      for (let size = 1; size < text.length; size++) {
        expect(rowsOf(Buffer.from(text), size)).to.deep.equal([
          ['record_id', 'age'],
          ['A', '1'],
        ]);
        expect(itemsOf(Buffer.from(text), size).map(({ place }) => place)).to.deep.equal([
          { row: 1, line: 3 },
        ]);
      }
    });
  }

  it('prefers a stated delimiter to that of a first line sep=', () => {
    const rows = rowsOf(Buffer.from('sep=:\nrecord_id;age\nA;1'), 5, ';');

    expect(rows).to.deep.equal([
      ['record_id', 'age'],
      ['A', '1'],
    ]);
  });

  it('refuses a first line sep= with a delimiter that it does not read', () => {
    expect(() => rowsOf(Buffer.from('sep=:\nrecord_id:age\nA:1\n'), 5)).to.throw(
      'The body names a delimiter (sep=) other than comma, semicolon, tab, | and ^.',
    );
  });

  it('reads a field whose name begins with sep', () => {
    expect(rowsOf(Buffer.from('sep,sepsis\n1,2\n'), 3)).to.deep.equal([
      ['sep', 'sepsis'],
      ['1', '2'],
    ]);
  });

  it('skips rows of empty cells wherever they are, as Excel writes them', () => {
    const text = ',,\r\na,b,\r\n"",,\r\n1,2,\r\n,,\r\n,,';

    for (const size of [1, 2, 3, 100]) {
      const [row, ...others] = itemsOf(Buffer.from(text), size);
      expect(row).to.deep.include({
        columns: ['a', 'b'],
        row: { a: '1', b: '2' },
        place: { row: 1, line: 4 },
      });
      expect(others).to.deep.equal([]);
    }
  });

  it('returns the line of the file on which each row starts', () => {
    const text = 'a,b\r\n\r\n1,"x\ny"\n\n2,3\r4,5';

    for (const size of [1, 2, 3, 100]) {
      expect(itemsOf(Buffer.from(text), size).map(({ place }) => place.line)).to.deep.equal([3, 6, 7]);
    }
  });
});
