import { expect } from 'chai';
import fc from 'fast-check';
import { DataDictionary } from '../../../../src/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/dictionary/project-structure.js';
import type { RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { RowByteTyper } from '../../../../src/services/typed-rows/row-byte-typer.js';
import { RowTyper, type TypedOptions } from '../../../../src/services/typed-rows/row-typer.js';
import { someField } from '../../dictionary/some-field.js';

const CHOICES = '1, One | 2, Two "quoted" | -99, Unknown | é, Accented | long_code, Long';
const FIELDS = [
  someField('id', { validationType: 'integer' }),
  someField('age', { validationType: 'integer' }),
  someField('weight', { validationType: 'number' }),
  someField('dose', { validationType: 'number_2dp_comma_decimal' }),
  someField('temp', { validationType: 'number_1dp' }),
  someField('smokes', { type: 'yesno' }),
  someField('sex', { type: 'radio', choicesOrCalculations: CHOICES }),
  someField('sites', { type: 'checkbox', choicesOrCalculations: '1, North | -99, Unknown | b, "B"' }),
  someField('born', { validationType: 'date_mdy' }),
  someField('seen', { validationType: 'datetime_seconds_dmy' }),
  someField('at', { validationType: 'time' }),
  someField('bmi', { type: 'calc' }),
  someField('note', { type: 'notes' }),
];
const structureOf = (missingDataCodes: string[], fields = FIELDS): ProjectStructure =>
  new ProjectStructure({ dictionary: new DataDictionary(fields), missingDataCodes });
const CLASSIC = structureOf([]);
const WITHOUT_CHECKBOX = FIELDS.filter(({ type }) => type !== 'checkbox');

const COLUMNS = [
  'id',
  'redcap_event_name',
  'redcap_repeat_instance',
  ...CLASSIC.dictionary.exportColumns().flatMap(({ name }) => (name === 'id' ? [] : [name])),
];

/** Values that are ordinary in one column and unusual in another. */
const VALUES: readonly (string | number)[] = [
  ...['0', '1', '2', '-99', 'UNK', 'é', 'long_code', 'true', 'a"b', '\\', 'a/b', '\n', '\u2028'],
  ...['-5', '+5', '-', '-0', '007', '12', '1.50', '1.5', '37.0', '0.25', '.5', '5.', '1e3', '2,5', '-12.75'],
  ...['99999999999999999999', '123456789.123456', '0.0000001', 0, 7, 10, 123],
  ...[
    '2026-02-28',
    '2026-02-30',
    '0999-01-01',
    '2026-13-01',
    '2024-02-29',
    ...['2026-02-29', '1900-02-29', '2000-02-29', '2026-04-31', '2026-04-30', '2026-01-31', '2026-01-00'],
    '28-02-2026',
    '2026-1-011',
    '2026-00-01',
  ],
  ...['2026-02-28 10:30:05', '2026-02-28 24:30:05', '10:30', '25:00'],
];
const VALUE = fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'grapheme', maxLength: 8 }));

/** Writes JSON as `JSON.stringify` does, or with the escapes of PHP. */
const WRITER: fc.Arbitrary<(row: RecordRow) => string> = fc.constantFrom(
  (row) => JSON.stringify(row),
  (row) =>
    JSON.stringify(row)
      .replaceAll('/', '\\/')
      .replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
);

describe('RowByteTyper', () => {
  for (const [what, structure, columns] of [
    ['a project', CLASSIC, COLUMNS],
    ['a project with missing data codes', structureOf(['UNK', '-99']), COLUMNS],
    [
      'a project with missing data codes and no checkbox field',
      structureOf(['UNK', '-99'], WITHOUT_CHECKBOX),
      COLUMNS.filter((name) => !name.startsWith('sites')),
    ],
    ['columns that lack one of a checkbox field', CLASSIC, COLUMNS.filter((name) => name !== 'sites___b')],
  ] as const) {
    it(`writes the same rows and reports the same misfits as RowTyper, for ${what}`, () => {
      const blank = Object.fromEntries(columns.map((name) => [name, '']));
      // One unusual value sends the whole row to RowTyper, so most rows have at most two values.
      const row: fc.Arbitrary<RecordRow> = fc
        .array(fc.tuple(fc.constantFrom(...columns), VALUE), { maxLength: 2 })
        .map((cells) => ({ ...blank, ...Object.fromEntries(cells) }));
      const options = fc.record({
        labels: fc.boolean(),
        missing: fc.constantFrom('code' as const, 'null' as const),
      });
      fc.assert(
        fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), options, WRITER, (rows, form, write) => {
          expect(byBytes(structure, form, rows.map(write))).to.deep.equal(byObjects(structure, form, rows));
        }),
        { numRuns: 100 },
      );
    });
  }

  it('agrees with RowTyper on each unusual value in each column', () => {
    const blank = Object.fromEntries(COLUMNS.map((name) => [name, '']));
    const rows = COLUMNS.flatMap((name) => VALUES.map((value) => ({ ...blank, [name]: value })));

    const written = byBytes(
      CLASSIC,
      {},
      rows.map((row) => JSON.stringify(row)),
    );

    expect(written).to.deep.equal(byObjects(CLASSIC, {}, rows));
  });

  it('does not use RowTyper for rows of ordinary values', () => {
    const row = {
      ...Object.fromEntries(COLUMNS.map((name) => [name, ''])),
      ...{ id: 'A-1', redcap_repeat_instance: 12, age: '42', weight: '71.5', sex: 'long_code', smokes: '1' },
      ...{ sites___1: '1', sites____99: '0', sites___b: '1', born: '2026-02-28', note: 'say "ü"\n' },
    };
    const typer = new RowTyper(CLASSIC);
    typer.type = () => expect.fail('was asked');
    const bytes = new RowByteTyper(typer, CLASSIC, { onMisfit: () => undefined });

    bytes.add(Buffer.from(JSON.stringify(row)));

    expect(JSON.parse(String(bytes.take()))).to.deep.include({
      ...{ id: 'A-1', redcap_repeat_instance: 12, age: 42, weight: 71.5, dose: null, sex: 'long_code' },
      ...{ smokes: true, sites: ['1', 'b'], born: '2026-02-28', note: 'say "ü"\n' },
    });
  });

  it('leaves rows with other columns or another order to RowTyper', () => {
    const rows = [{ id: '1', age: '2' }, { age: '2', id: '1' }, { id: '1', age: '2', note: '' }, { id: '1' }];

    expect(
      byBytes(
        CLASSIC,
        {},
        rows.map((row) => JSON.stringify(row)),
      ),
    ).to.deep.equal(byObjects(CLASSIC, {}, rows));
  });

  it('writes values of any length', () => {
    const rows = [{ id: '1', note: 'x'.repeat(1_000_000), sites: '' }];

    expect(
      byBytes(
        CLASSIC,
        {},
        rows.map((row) => JSON.stringify(row)),
      ).rows,
    ).to.have.nested.property('[0].note.length', 1_000_000);
  });
});

function byBytes(structure: ProjectStructure, options: TypedOptions, rows: readonly string[]) {
  const misfits: string[] = [];
  const onMisfit = (_: RecordRow, column: string): void => void misfits.push(column);
  const typer = new RowByteTyper(new RowTyper(structure, options), structure, { ...options, onMisfit });
  for (const row of rows) {
    typer.add(Buffer.from(row));
    typer.addText('\n');
  }
  const lines = String(typer.take()).split('\n').slice(0, -1);
  return { rows: lines.map((line): unknown => JSON.parse(line)), misfits };
}

function byObjects(structure: ProjectStructure, options: TypedOptions, rows: readonly RecordRow[]) {
  const misfits: string[] = [];
  const typer = new RowTyper(structure, options);
  const typed = rows.map((row): unknown =>
    JSON.parse(JSON.stringify(typer.type(row, (_, name) => misfits.push(name)))),
  );
  return { rows: typed, misfits };
}
