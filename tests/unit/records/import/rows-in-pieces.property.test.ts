import { expect } from 'chai';
import fc from 'fast-check';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { rejection } from '../../../support/rejection.js';
import { id, ImportProject, write, type Row } from '../../../support/import-project.js';

/** JSON values that are valid for some columns, and awkward for a parser of bytes. */
const VALUE = fc.constantFrom(
  '""',
  '"20"',
  '20',
  '0',
  '"1"',
  '1',
  '12.5',
  '-1',
  '1e1',
  'null',
  'true',
  '"2026-02-28"',
  '"2026-02-30"',
  '"a \\" b"',
  '"\\u0032\\u0030"',
  '"\\ud83d\\ude00"',
  '"\\ud83d"',
  '"é😀"',
  '"1\\n"',
  '"{[:,]}"',
  '"new"',
  '9007199254740993',
  '"Female"',
  '"x\\\\"',
);
const COLUMNS = ['age', 'seen', 'sex', 'sites___1', 'note', 'bmi', 'redcap_repeat_instance'];
const BLANK = fc.constantFrom('', '', '', ' ', '\n', '\r\n\t');

/** Rows of one shape, most of them valid. A few differ in white space or order, or lack a column. */
const ROWS = fc
  .tuple(fc.subarray(COLUMNS), fc.integer({ min: 1, max: 6 }))
  .chain(([columns, count]) => fc.tuple(...Array.from({ length: count }, (_, at) => rowText(columns, at))));

function rowText(columns: readonly string[], at: number): fc.Arbitrary<string> {
  const members = fc.tuple(...columns.map((name) => fc.tuple(fc.constant(name), VALUE, BLANK, BLANK)));
  const shape = fc.oneof(
    { weight: 6, arbitrary: fc.constant('same') },
    fc.constantFrom('reversed', 'shorter'),
  );
  return fc.tuple(members, BLANK, shape).map(([cells, blank, kind]) => {
    const written = cells.map(
      ([name, value, before, after]) => `${before}"${name}"${blank}:${after}${validOr(name, value)}${blank}`,
    );
    if (kind === 'reversed') written.reverse();
    if (kind === 'shorter') written.pop();
    return `{${[`"record_id":"${id(at)}"`, ...written].join(',')}}`;
  });
}

/** Makes most values valid for columns with a rule, so that not every row is refused. */
function validOr(name: string, value: string): string {
  const isLikely = value.length % 3 !== 0;
  if (name === 'note' || name === 'bmi' || !isLikely) return value;
  return { age: '"20"', seen: '"2026-02-28"', sex: '"1"', sites___1: '1' }[name] ?? '"2"';
}

describe('Rows of JSON', () => {
  for (const [format, toBody] of [
    ['json', (rows: readonly string[]) => `{"records":[${rows.join(' , ')}]}`],
    // A line break inside a row is white space in JSON, but ends the line in NDJSON.
    [
      'ndjson',
      (rows: readonly string[]) => rows.map((row) => `${row.replaceAll(/[\r\n]/g, ' ')}\n`).join(''),
    ],
  ] as const) {
    it(`are read from ${format} as if each were alone, however the input is split`, async () => {
      await fc.assert(
        fc.asyncProperty(ROWS, fc.integer({ min: 1, max: 400 }), async (rows, pieceBytes) => {
          const alone = await Promise.all(rows.map((row) => outcomeOf([Buffer.from(toBody([row]))], format)));
          const body = Buffer.from(toBody(rows));
          const pieces = Array.from({ length: Math.ceil(body.length / pieceBytes) }, (_, at) =>
            body.subarray(at * pieceBytes, (at + 1) * pieceBytes),
          );

          const together = await outcomeOf(pieces, format);

          const problems = alone.flatMap((outcome) => outcome.problems);
          expect(together.problems).to.deep.equal(problems);
          if (problems.length === 0)
            expect(together.rows).to.deep.equal(alone.flatMap(({ rows: sent }) => sent));
        }),
        { numRuns: 300 },
      );
    });
  }
});

interface Outcome {
  readonly rows: readonly object[];
  readonly problems: readonly object[];
}

/** Returns what an import sends, with every value as text, or its problems without row numbers. */
async function outcomeOf(body: readonly Buffer[], format: 'json' | 'ndjson'): Promise<Outcome> {
  const project = new ImportProject();
  const importing = write(new RecordWriter(project, { batchSize: 1 }), body, { format });
  const stored = await importing.then(
    () => true,
    () => false,
  );
  if (!stored) {
    const { errors } = (await rejection(importing)) as unknown as { errors: Record<string, unknown>[] };
    return {
      rows: [],
      problems: errors.map(({ record, field, message, suggestion }) => ({
        record,
        field,
        message,
        suggestion,
      })),
    };
  }
  return { rows: project.rows.map(asTexts), problems: [] };
}

function asTexts(row: Row): object {
  const text = (value: Row[string] | undefined): string =>
    value === null || value === undefined
      ? ''
      : typeof value === 'boolean'
        ? String(Number(value))
        : String(value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]));
}
