import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import fc from 'fast-check';
import { CSV_DELIMITERS } from '../../../../src/gateways/redcap/csv-delimiter.js';
import { CsvParser } from '../../../../src/records/import/csv-parser.js';
import { InputErrors } from '../../../../src/records/import/input-errors.js';

const CELL = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', '"', '""', ',', ';', '\t', 'a,b', 'a\nb', 'a\r\nb', '\r', ' ', 'ü€😀'),
);

/** Returns the rows of a parser, with their cells as text. */
function rowsOf(body: Buffer, size: number, delimiter?: string): { cells: string[]; line: number }[] {
  const parser = new CsvParser(delimiter, 1_000_000, new InputErrors());
  const rows: { cells: string[]; line: number }[] = [];
  const take = (items: ReturnType<CsvParser['push']>): void => {
    for (const item of items) {
      if (item.kind !== 'cells') throw new Error('no row');
      const { cells, place } = item;
      rows.push({ cells: Array.from({ length: cells.count }, (_, at) => cells.text(at)), line: place.line });
    }
  };
  for (let at = 0; at < body.length; at += size) take(parser.push(body.subarray(at, at + size)));
  take(parser.end());
  return rows;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

describe('CsvParser', () => {
  it('reads the same as csv-parse, however the input is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(CELL, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom(...Object.values(CSV_DELIMITERS)),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        (rows, lineEnd, delimiter, size, isQuoted) => {
          const mustQuote = (cell: string): boolean => isQuoted || /["\r\n,;\t|^]/.test(cell);
          const text = rows
            .map((cells) => cells.map((cell) => (mustQuote(cell) ? quoted(cell) : cell)).join(delimiter))
            .join(lineEnd);
          const parsed: string[][] = parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true, record_delimiter: lineEnd }); // prettier-ignore
          const expected = parsed.filter((cells) => cells.some((cell) => cell !== ''));

          expect(rowsOf(Buffer.from(text), size, delimiter).map(({ cells }) => cells)).to.deep.equal(
            expected,
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
        expect(rowsOf(Buffer.from(text), size).map(({ cells }) => cells)).to.deep.equal([
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
          { cells: ['record_id', 'age'], line: 2 },
          { cells: ['A', '1'], line: 3 },
        ]);
      }
    });
  }

  it('prefers a stated delimiter to that of a first line sep=', () => {
    const rows = rowsOf(Buffer.from('sep=:\nrecord_id;age\nA;1'), 5, ';');

    expect(rows.map(({ cells }) => cells)).to.deep.equal([
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
    expect(rowsOf(Buffer.from('sep,sepsis\n1,2\n'), 3).map(({ cells }) => cells)).to.deep.equal([
      ['sep', 'sepsis'],
      ['1', '2'],
    ]);
  });

  it('skips rows of empty cells wherever they are, as Excel writes them', () => {
    const text = ',,\r\na,b,\r\n"",,\r\n1,2,\r\n,,\r\n,,';

    for (const size of [1, 2, 3, 100]) {
      expect(rowsOf(Buffer.from(text), size)).to.deep.equal([
        { cells: ['a', 'b', ''], line: 2 },
        { cells: ['1', '2', ''], line: 4 },
      ]);
    }
  });

  it('returns the line of the file on which each row starts', () => {
    const text = 'a,b\r\n\r\n1,"x\ny"\n\n2,3\r4,5';

    for (const size of [1, 2, 3, 100]) {
      expect(rowsOf(Buffer.from(text), size).map(({ line }) => line)).to.deep.equal([1, 3, 6, 7]);
    }
  });
});
