import { expect } from 'chai';
import fc from 'fast-check';
import type { DescribedColumn, DescribedCopy } from '../../../src/sync/syntax/described-table.js';
import { nameFor } from '../../../src/sync/syntax/language.js';
import { inR, r } from '../../../src/sync/syntax/r.js';
import { inSas, sas } from '../../../src/sync/syntax/sas.js';
import { inSpss, spss } from '../../../src/sync/syntax/spss.js';
import { inStata, stata } from '../../../src/sync/syntax/stata.js';

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
  tables: [{ name: 'visit', rows: 1, hasBreaks: false, columns }],
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

  for (const [name, write, bytes] of [
    ['SPSS', inSpss, 120],
    ['SAS', inSas, 256],
  ] as const)
    it(`SYNC-05: a string of ${name} is the text, on one line and cut to ${bytes} bytes`, () => {
      fc.assert(
        fc.property(hostile, (text) => {
          const written = write(text);
          expect(written).to.match(/^'(?:[^'\n\r\u2028\u2029]|'')*'$/u);
          const read = written.slice(1, -1).replaceAll("''", "'");
          expect(Buffer.byteLength(read)).to.be.at.most(bytes);
          expect(plain(text).startsWith(read)).to.equal(true);
          const whole = Buffer.byteLength(plain(text)) <= bytes;
          if (whole) expect(read).to.equal(plain(text));
        }),
      );
    });

  it('SYNC-05: a string of Stata begins no macro and no comment, and does not end early', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const inner = inStata(text, 80).replace(/^`"([^]*)"'$/, '$1');
        expect(inner).not.to.match(/[`\p{Cc}\p{Zl}\p{Zp}]|"'|\/[/*]|(?<!\\)\$|\\\\\$|^'/u);
        expect(inner.endsWith('\\')).to.equal(false);
      }),
    );
    expect(inStata('a/\\')).to.equal('`"a/ /"\'');
    expect(inStata('Income (in $), "net"')).to.equal('`"Income (in \\$), "net""\'');
  });

  it('gives every column a name that a program allows, which no other has', () => {
    const rules = { length: 8, reserved: new Set(['to']) };
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/), { maxLength: 40 });
    fc.assert(
      fc.property(names, (given) => {
        const [table] = nameFor(rules, copyOf(given.map((name) => column(name))));
        const to = table?.columns.map((each) => each.to) ?? [];
        expect(new Set(to.map((each) => each.toLowerCase())).size).to.equal(given.length);
        for (const [at, each] of to.entries()) {
          expect(each).to.match(/^[A-Za-z]\w{0,7}$/);
          const name = given[at] ?? '';
          if (name.length <= 8 && name !== 'to') expect(each).to.equal(name);
        }
      }),
    );
  });

  it('says which names were changed', () => {
    const long = 'the_measurement_of_the_second_visit';
    const copy = copyOf([column(long, { label: 'Second' }), column('to'), column('with')]);
    expect(stata.print(copy))
      .to.include(`* ${long} is the_measurement_of_the_second__1.\n`)
      .and.include('* with is with_1.');
    expect(sas.print(copy)).to.include(`/* ${long} is the_measurement_of_the_second__1. */`);
    expect(spss.print(copy)).to.include('* to is to_1.\n').and.not.include(`* ${long}`);
    expect(r.print(copy)).to.include(`c("${long}", "text", "Second")`);
  });

  it('has missing data codes as values that a program counts as missing', () => {
    const copy = copyOf(
      [column('age', { type: 'INTEGER', missing: 'age__missing' }), column('age__missing')],
      ['-9', '-8'],
    );
    expect(stata.print(copy)).to.include('replace age = .a if age__missing == `"-9"\'');
    expect(stata.print(copy)).to.include('label define age .b `"-8"\', modify');
    expect(sas.print(copy)).to.include("if age__missing = '-8' then age = .B;");
    expect(spss.print(copy))
      .to.include("IF (age__missing = '-9') age = -9.\n")
      .and.include('MISSING VALUES age (-9,-8).');
    expect(spss.print({ ...copy, missingCodes: ['1', '2', '3', '4'] })).not.to.include('MISSING');
  });

  it('reads dates and times with a format of their own, and the rest of a timestamp where seconds are left out', () => {
    const columns = (['DATE', 'TIMESTAMP', 'TIME'] as const).map((type) =>
      column(`a_${type.toLowerCase()}`, { type, bytes: 16 }),
    );
    const copy = copyOf(columns);
    expect(stata.print(copy)).to.include('clock(subinstr(crf_v2, "T", " ", 1), "YMDhm")');
    expect(sas.print(copy)).to.include("_t1 = cats(_t1, ':00')").and.include('a_time :time8.');
    expect(spss.print(copy)).to.include('a_date SDATE10').and.include('COMPUTE a_timestamp = DATE.DMY(');
    expect(r.print(copy)).to.include('c("a_timestamp", "timestamp", "")');
  });
});
