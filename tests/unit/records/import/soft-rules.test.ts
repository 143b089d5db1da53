import { expect } from 'chai';
import fc from 'fast-check';
import type { ImportWarning } from '../../../../src/records/import/warnings/import-warning.js';
import {
  RecordWriter,
  type ImportOutcome,
  type ImportRequest,
} from '../../../../src/services/record-writer.js';
import { rejection } from '../../../support/rejection.js';
import { toStoredNumber } from '../../../../src/domain/dictionary/local-numbers.js';
import { toStoredDate } from '../../../../src/domain/dictionary/date-orders.js';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import {
  BODY_OF,
  field,
  FIELDS,
  FORMATS,
  id,
  ImportProject,
  write,
  type Row,
} from '../../../support/import-project.js';

const rulesOf = ({ warnings }: ImportOutcome): string[][] =>
  warnings?.first.map(({ row, field, rule }: ImportWarning) => [String(row), field, rule]) ?? [];

/** Imports rows in each format, and compares what arrives. */
async function inEachFormat(
  rows: readonly Row[],
  request: Partial<ImportRequest>,
  check: (outcome: ImportOutcome, project: ImportProject) => void,
  project = (): ImportProject => new ImportProject(),
): Promise<void> {
  for (const format of FORMATS) {
    const target = project();
    check(await write(new RecordWriter(target), BODY_OF[format](rows), { ...request, format }), target);
  }
  // In EAV the same values arrive, one in each row.
  const flat = project();
  await write(new RecordWriter(flat), BODY_OF.json(rows), request);
  const valuesOf = (row: Row): [string, unknown][] =>
    Object.entries(row).filter(([name]) => name !== 'record_id');
  const cells = rows.flatMap((row) =>
    valuesOf(row).map(([field_name, value]) => ({
      record: String(row['record_id']),
      field_name,
      value: value as string,
    })),
  );
  const eav = project();
  await write(new RecordWriter(eav), BODY_OF.json(cells), { ...request, type: 'eav' });
  expect(eav.rows.map(({ field_name, value }) => [field_name, value])).to.deep.equal(
    flat.rows.flatMap(valuesOf),
  );
}

describe('Values outside the limits of their field', () => {
  const rows = ['17', '18', '99', '100'].map((age, at) => ({ record_id: id(at), age }));

  it('IN-08: are stored in each format, and reported without the value', async () => {
    await inEachFormat(rows, {}, (outcome, project) => {
      expect(project.rows).to.deep.equal(rows);
      expect(outcome.count).to.equal(4);
      expect(rulesOf(outcome)).to.deep.equal([
        ['1', 'age', 'out_of_range'],
        ['4', 'age', 'out_of_range'],
      ]);
      expect(outcome.warnings?.rules.out_of_range).to.equal(2);
      expect(outcome.warnings?.first[0]).to.include({
        instrument: 'visit',
        message: 'must be from 18 to 99',
      });
      expect(JSON.stringify(outcome.warnings)).to.not.match(/"17"|:17|100/);
    });
  });

  it('IN-08: are reported by a dry run, which sends nothing', async () => {
    const project = new ImportProject();

    const outcome = await write(new RecordWriter(project), BODY_OF.csv(rows), {
      format: 'csv',
      dryRun: true,
    });

    expect(rulesOf(outcome)).to.have.lengthOf(2);
    expect(project.calls).to.deep.equal([]);
  });

  it('IN-08: are problems with limits=refuse, in each format', async () => {
    for (const format of FORMATS) {
      const writing = write(new RecordWriter(new ImportProject()), BODY_OF[format](rows), {
        format,
        limits: 'refuse',
      });

      expect((await rejection(writing))['errors']).to.have.lengthOf(2);
    }
  });

  for (const [validationMin, validationMax] of [
    ['', 'today'],
    ['now', ''],
    ['[age]', '2026-12-31'],
  ] as const)
    it(`IN-08: are not judged by the limits "${validationMin}" and "${validationMax}", which is said once`, async () => {
      const seen = field('seen', { validationType: 'date_dmy', validationMin, validationMax });
      const project = (): ImportProject =>
        Object.assign(new ImportProject(), {
          fields: { list: () => Promise.resolve(FIELDS.map((each) => (each.name === 'seen' ? seen : each))) },
        });
      const rows = ['2026-01-01', '2026-01-02'].map((day, at) => ({ record_id: id(at), seen: day }));
      for (const limits of ['warn', 'refuse'] as const)
        for (const dryRun of [false, true]) {
          const outcome = await write(new RecordWriter(project()), BODY_OF.csv(rows), {
            format: 'csv',
            limits,
            dryRun,
          });
          expect(rulesOf(outcome)).to.deep.equal([['1', 'seen', 'not_checked']]);
          expect(outcome.warnings?.rules.not_checked).to.equal(1);
          expect(outcome.warnings?.first[0]?.message).to.match(/^has a limit that is not evaluated/);
        }
    });

  it('IN-08: are no warning if they are missing data codes', async () => {
    const project = new ImportProject();
    project.missingDataCodes = '999, Unknown';
    const sent = ['999', '17'].map((age, at) => ({ record_id: id(at), age }));

    const outcome = await write(new RecordWriter(project), BODY_OF.json(sent));

    expect(rulesOf(outcome)).to.deep.equal([['2', 'age', 'out_of_range']]);
  });

  it('IN-08: are counted again, without records, when an Idempotency-Key is repeated', async () => {
    const writer = new RecordWriter(new ImportProject());
    await write(writer, BODY_OF.json(rows), {}, 'key');

    const again = await write(writer, BODY_OF.json(rows), {}, 'key');

    expect(again.warnings).to.deep.include({ count: 2, first: [] });
  });
});

describe('Values that do not fit their field', () => {
  const rows = [{ record_id: id(1), age: 'forty', sex: '9', seen: 'banana' }];
  const misfits = ['age', 'sex', 'seen'].map((field) => ['1', field, 'invalid_value']);

  it('IN-09: are sent as they are if misfits are kept, and reported', async () => {
    await inEachFormat(rows, { keepMisfits: true }, (outcome, project) => {
      expect(project.rows).to.deep.equal(rows);
      expect(rulesOf(outcome)).to.deep.equal(misfits);
    });
  });

  it('IN-09: are sent as they are from typed rows too', async () => {
    const project = new ImportProject();

    const outcome = await write(new RecordWriter(project), BODY_OF.ndjson(rows), {
      ...{ format: 'ndjson', values: 'typed', keepMisfits: true },
    });

    expect(project.rows).to.deep.equal(rows);
    expect(rulesOf(outcome)).to.deep.equal(misfits);
  });

  it('IN-09: are kept beside limits that refuse', async () => {
    const kept = [{ record_id: id(1), sex: '9', age: '40' }];

    const outcome = await write(new RecordWriter(new ImportProject()), BODY_OF.json(kept), {
      ...{ keepMisfits: true, limits: 'refuse' },
    });
    const refused = write(
      new RecordWriter(new ImportProject()),
      BODY_OF.json([{ record_id: id(1), age: '17' }]),
      {
        ...{ keepMisfits: true, limits: 'refuse' },
      },
    );

    expect(rulesOf(outcome)).to.deep.equal([['1', 'sex', 'invalid_value']]);
    expect((await rejection(refused))['errors']).to.have.lengthOf(1);
  });

  it('IN-09: are problems otherwise', async () => {
    const error = await rejection(write(new RecordWriter(new ImportProject()), BODY_OF.json(rows)));

    expect(error['errors']).to.have.lengthOf(3);
  });
});

describe('Dates in the order of day, month and year', () => {
  const project = (): ImportProject => {
    const target = new ImportProject();
    const moments = ['datetime_dmy', 'datetime_seconds_mdy'].map((validationType, at) => {
      const [, , seen] = FIELDS;
      return { ...seen, name: `moment_${at}`, validationType } as Field;
    });
    target.fields.list = () => Promise.resolve([...FIELDS, ...moments]);
    return target;
  };

  for (const [dateFormat, sent] of [
    ['DMY', ['28/02/2026', '28-2-2026 10:05', '28.02.2026 9:05:59']],
    ['MDY', ['02/28/2026', '2-28-2026 10:05', '02.28.2026 9:05:59']],
    ['MDY', ['2026-02-28', '2026-02-28 10:05', '2026-02-28 09:05:59']],
  ] as const) {
    it(`IN-10: are converted from ${dateFormat} (${sent[0]}) and sent as they are stored, in each format`, async () => {
      const [seen, moment_0, moment_1] = sent;
      const rows = [{ record_id: id(1), seen, moment_0, moment_1 }];

      await inEachFormat(
        rows,
        { dateFormat },
        (_, { rows: stored, calls }) => {
          expect(stored).to.deep.equal([
            {
              record_id: id(1),
              seen: '2026-02-28',
              moment_0: '2026-02-28 10:05',
              moment_1: '2026-02-28 09:05:59',
            },
          ]);
          expect(calls[0]?.options.dateFormat).to.equal(undefined);
        },
        project,
      );
    });
  }

  it('are converted with one digit, dots or slashes in YMD too, once it is given, and short years with their century', async () => {
    const sent: readonly [ImportRequest['dateFormat'], ImportRequest['century'], string][] = [
      ['YMD', undefined, '2026/2/28'],
      ['YMD', 2000, '26.2.28'],
      ['DMY', 2000, '28.2.26'],
      ['MDY', 2000, '2/28/26'],
    ];
    for (const [dateFormat, century, seen] of sent)
      await inEachFormat(
        [{ record_id: id(1), seen }],
        { dateFormat, century },
        (_, { rows }) => expect(rows).to.deep.equal([{ record_id: id(1), seen: '2026-02-28' }]),
        project,
      );
  });

  for (const [dateFormat, wrong] of [
    ['DMY', ['banana', '02/28/2026', '30/02/2026', '28/02/26', '28/02/2026 10:00', '1/2/3/2026']],
    ['MDY', ['banana', '28/02/2026', '02/30/2026', '02/28/26', '2026-02-30', '2/28']],
  ] as const) {
    it(`IN-10: are refused if they are no dates in ${dateFormat}, in each format and in a dry run`, async () => {
      for (const seen of wrong)
        for (const format of FORMATS) {
          const body = BODY_OF[format]([{ record_id: id(1), seen }]);
          const writing = write(new RecordWriter(project()), body, { format, dateFormat, dryRun: true });

          const [problem] = (await rejection(writing))['errors'] as { field: string; message: string }[];

          expect(problem).to.include({ field: 'seen' });
          expect(problem?.message).to.include(dateFormat === 'DMY' ? 'DD/MM/YYYY' : 'MM/DD/YYYY');
        }
    });
  }

  it('IN-10: are converted in each row, not only in the first of its shape', async () => {
    const target = project();
    const rows = ['01/02/2026', '03/04/2026', '05/06/2026'].map((seen, at) => ({ record_id: id(at), seen }));

    await write(new RecordWriter(target), BODY_OF.json(rows), { dateFormat: 'DMY' });

    expect(target.rows.map(({ seen }) => seen)).to.deep.equal(['2026-02-01', '2026-04-03', '2026-06-05']);
  });

  it('IN-10: are the same day in every order', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (day) => {
          const stored = day.toISOString().slice(0, 10);
          const [year, month, date] = stored.split('-');

          expect(toStoredDate(`${date}/${month}/${year}`, 'DMY')).to.equal(stored);
          expect(toStoredDate(`${month}/${date}/${year}`, 'MDY')).to.equal(stored);
        },
      ),
    );
  });
});

describe('Numbers as people write them', () => {
  for (const [decimalCharacter, numbers] of [
    [',', { '1.234,5': '1234.5', '0,25': '0.25', '-1 234': '-1234', "12'000,75": '12000.75', '70': '70' }],
    ['.', { '1,234.5': '1234.5', '.25': '.25', '1\u00a0234\u00a0567': '1234567' }],
  ] as const) {
    it(`are sent as they are stored, with the decimal character ${decimalCharacter}`, async () => {
      for (const [weight, stored] of Object.entries(numbers))
        await inEachFormat(
          [{ record_id: id(1), weight }],
          { decimalCharacter },
          (_, { rows }) => expect(rows).to.deep.equal([{ record_id: id(1), weight: stored }]),
          weighing,
        );
    });
  }

  it('are refused with another decimal character, or with groups that are not of three digits', async () => {
    for (const weight of ['71.5', '1.23,5', '1.2345', '1,2,3', '1 23'])
      expect(await refusal(weight, { decimalCharacter: ',' })).to.include(
        'must be a number with the decimal character ","',
      );
  });

  it('IN-19: get the zeros that a field needs and a spreadsheet drops, and never lose a digit', () => {
    const stored = (text: string) => toStoredNumber(text, ',', '.', 1);

    expect(['80', '80,5', '80,25', '-,5', '1.000'].map(stored)).to.deep.equal([
      ...['80.0', '80.5', '80.25', '-.5', '1000.0'],
    ]);
  });

  it('name the option that would read them', async () => {
    expect(await refusal('71,5')).to.equal('must be a number; it is one with decimal character ","');
    expect(await refusal('31.12.2026', {}, 'seen')).to.equal(
      'must be a date, as YYYY-MM-DD; it is one with date format DMY',
    );
    expect(await refusal('3/4/26', {}, 'seen')).to.equal(
      'must be a date, as YYYY-MM-DD; it is one with date format MDY or DMY and century 2000 or 1900',
    );
    expect(await refusal('3/4/26', { dateFormat: 'DMY' }, 'seen')).to.equal(
      'must be a date, as DD/MM/YYYY; it is one with century 2000 or 1900',
    );
    expect(await refusal('banana', {}, 'seen')).to.equal('must be a date, as YYYY-MM-DD');
  });
});

/** A project with a number. */
function weighing(): ImportProject {
  const project = new ImportProject();
  const weight = field('weight', { instrument: 'base', validationType: 'number' });
  project.fields.list = () => Promise.resolve([...FIELDS, weight]);
  return project;
}

/** Returns what is said of a value that is refused. */
async function refusal(
  value: string,
  request: Partial<ImportRequest> = {},
  name = 'weight',
): Promise<string> {
  const project = weighing();
  const writing = write(
    new RecordWriter(project),
    BODY_OF.json([{ record_id: id(1), [name]: value }]),
    request,
  );
  const [problem] = (await rejection(writing))['errors'] as { message: string }[];
  expect(project.calls).to.deep.equal([]);
  return problem?.message ?? '';
}
