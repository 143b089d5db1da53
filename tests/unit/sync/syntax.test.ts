import { expect } from 'chai';
import fc from 'fast-check';
import type { DescribedColumn, DescribedCopy } from '../../../src/sync/syntax/described-table.js';
import { inR, printR } from '../../../src/sync/syntax/r.js';
import { inSpss, namesFor, printSpss } from '../../../src/sync/syntax/spss.js';

/** Texts of what means something in one of the languages. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['"', "'", '`', '$', '\\', '/', '*', '%', '&', '{', '}', '.', ';', '#', '\n', '\r', '\0'],
      ),
      fc.constantFrom('x', ' ', 'é', '漢', '😀', '\u2028', '\uD800', '\u00a0'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 200 },
  )
  .map((parts) => parts.join(''));

/** A label as every language has it. */
const plain = (text: string): string => text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');

function column(name: string, parts: Partial<DescribedColumn> = {}): DescribedColumn {
  return { name, label: '', type: 'TEXT', choices: [], bytes: 4, missing: undefined, ...parts };
}

const copyOf = (
  columns: readonly DescribedColumn[],
  missingCodes: readonly string[] = [],
): DescribedCopy => ({
  tables: [{ name: 'visit', hasBreaks: false, columns }],
  missingCodes,
});

describe('Syntax files', () => {
  it('SYNC-05: a string of R is the text, in characters of ASCII', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = inR(text);
        expect(written).to.match(/^"(?:[ !#-[\]-~]|\\["\\]|\\U\{[\da-f]{1,6}\})*"$/);
        const read = written
          .slice(1, -1)
          .replace(/\\(?:U\{([\da-f]+)\}|(.))/g, (_, code: string | undefined, quoted: string) =>
            code === undefined ? quoted : String.fromCodePoint(Number.parseInt(code, 16)),
          );
        expect(read).to.equal(text.toWellFormed().replace(/\p{Cc}/gu, ' '));
      }),
    );
  });

  it('SYNC-05: a string of SPSS is the text, on one line and cut to 120 bytes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = inSpss(text);
        expect(written).to.match(/^'(?:[^'\n\r\u2028\u2029]|'')*'$/u);
        const read = written.slice(1, -1).replaceAll("''", "'");
        expect(Buffer.byteLength(read)).to.be.at.most(120);
        expect(plain(text).startsWith(read)).to.equal(true);
        const whole = Buffer.byteLength(plain(text)) <= 120;
        if (whole) expect(read).to.equal(plain(text));
      }),
    );
  });

  it('gives every column a name that SPSS allows, which no other has', () => {
    // Long names that begin alike, and a word of SPSS.
    const name = fc
      .tuple(fc.constantFrom('', 'x'.repeat(62), 'with'), fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/))
      .map((parts) => parts.join(''));
    const names = fc.uniqueArray(fc.oneof(name, fc.constantFrom('to', 'by')), { maxLength: 40 });
    fc.assert(
      fc.property(names, (given) => {
        const to = namesFor(given);
        expect(new Set(to.map((each) => each.toLowerCase())).size).to.equal(given.length);
        for (const [at, each] of to.entries()) {
          expect(each).to.match(/^[A-Za-z]\w{0,63}$/);
          const name = given[at] ?? '';
          if (name.length <= 64 && name !== 'to' && name !== 'by') expect(each).to.equal(name);
        }
      }),
    );
  });

  it('says which names were changed', () => {
    const long = 'the_measurement_of_the_second_visit';
    const copy = copyOf([column(long, { label: 'Second' }), column('to'), column('with')]);
    expect(printSpss(copy)).to.include('* to is to_1.\n').and.not.include(`* ${long}`);
    expect(printR(copy)).to.include(`c("${long}", "text", "Second")`);
  });

  it('has missing data codes as values that a program counts as missing', () => {
    const copy = copyOf(
      [column('age', { type: 'INTEGER', missing: 'age__missing' }), column('age__missing')],
      ['-9', '-8'],
    );
    expect(printSpss(copy))
      .to.include("IF (age__missing = '-9') age = -9.\n")
      .and.include('MISSING VALUES age (-9,-8).');
    expect(printSpss({ ...copy, missingCodes: ['1', '2', '3', '4'] })).not.to.include('MISSING');
  });

  it('reads dates and times with a format of their own', () => {
    const columns = (['DATE', 'TIMESTAMP', 'TIME'] as const).map((type) =>
      column(`a_${type.toLowerCase()}`, { type, bytes: 16 }),
    );
    const copy = copyOf(columns);
    expect(printSpss(copy)).to.include('a_date SDATE10').and.include('COMPUTE a_timestamp = DATE.DMY(');
    expect(printR(copy)).to.include('c("a_timestamp", "timestamp", "")');
  });
});
