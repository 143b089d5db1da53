import { expect } from 'chai';
import fc from 'fast-check';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import type { TestService } from '../../support/start-service.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';
import { PROJECT } from './random-export-project.js';

const MEDIA_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson' } as const;
type Format = keyof typeof MEDIA_TYPES;

describe('POST /api/v1/records?values=typed', () => {
  let service: StudyService;
  before(async () => {
    service = await startStudyService(classicStudy(), { imports: { recordIdMinLength: 1 } });
  });
  after(() => service.close());
  const post = (records: object[], query = 'values=typed') =>
    service.send('post', `/records?${query}`, { records });

  it('stores numbers, booleans, lists, codes with their labels, and null', async () => {
    const typed = { id: '77', age: 31, weight: 70.5, sites: [{ code: '1', label: 'A' }], sex: null };

    await post([typed]).expect(200);

    const { body } = await service.send('get', '/records?records=77&values=typed').expect(200);
    expect(body.data[0]).to.deep.include({ id: '77', age: 31, weight: 70.5, sites: ['1'], sex: null });
  });

  it('erases with null only if blanks erase', async () => {
    await post([{ id: '78', age: 31 }]).expect(200);
    await post([{ id: '78', age: null }]).expect(200);
    expect((await service.send('get', '/records?records=78&fields=age')).body.data[0].age).to.equal('31');

    await post([{ id: '78', age: null }], 'values=typed&overwriteBehavior=overwrite').expect(200);
    expect((await service.send('get', '/records?records=78&fields=age')).body.data[0].age).to.equal('');
  });

  it('names line, record, field and rule of a value without a REDCap equivalent, and never the value', async () => {
    const rows = [
      { id: '79', age: 31.25 },
      { id: '80', sites: ['7-secret'] },
      { id: '81', age: ['secret'] },
    ];

    const { body } = await service
      .send('post', '/records?values=typed')
      .type('application/x-ndjson')
      .send(rows.map((row) => JSON.stringify(row)).join('\n'))
      .expect(422);

    expect(
      body.errors.map(({ line, record, field, message }: Record<string, unknown>) => [
        line,
        record,
        field,
        message,
      ]),
    ).to.deep.equal([
      [1, '79', 'age', 'must be a whole number'],
      [2, '80', 'sites', 'must be a list of codes of the field'],
      [3, '81', 'age', 'must be a whole number'],
    ]);
    expect(JSON.stringify(body)).to.not.include('secret').and.not.include('31.25');
  });

  for (const [query, type, body, field] of [
    ['values=typed', 'text/csv', 'id,age\n1,2\n', 'values'],
    ['values=typed&type=eav', 'application/json', '{"records":[{"record":"1"}]}', 'type'],
    ['values=typed&dateFormat=DMY', 'application/json', '{"records":[{"id":"1"}]}', 'dateFormat'],
  ] as const) {
    it(`refuses ${type} with ${query}`, async () => {
      const answer = await service.send('post', `/records?${query}`).type(type).send(body).expect(400);

      expect(answer.body.errors[0].field).to.equal(field);
    });
  }

  it('says what to request for lists sent without typed values', async () => {
    const { body } = await post([{ id: '82', sites: ['1'] }], 'dryRun=true').expect(400);

    expect(body.detail).to.include('lists and objects need values=typed');
  });
});

describe('An export of typed values', function () {
  this.timeout(120_000);

  for (const format of ['json', 'ndjson'] as const) {
    it(`can be imported unchanged into an empty project through ${format}, as a whole and by instrument`, async () => {
      await fc.assert(
        fc.asyncProperty(
          PROJECT,
          fc.boolean(),
          fc.integer({ min: 1, max: 8 }),
          async (study, hasLabels, batchSize) => {
            await withTwins(study, batchSize, async (full, ...empty) => {
              const labels = hasLabels ? '&labels=true' : '';
              const [whole, tidy] = empty;

              await put(whole, format, await read(full, format, `records?values=typed${labels}`));
              for (const { name } of study.instruments) {
                const path = `instruments/${name}/rows?values=typed&exportBlankForGrayFormStatus=true${labels}`;
                const rows = begun(await read(full, 'ndjson', path), name);
                if (rows !== '') await put(tidy, 'ndjson', rows);
              }

              const before = await read(full, 'json', 'records?values=typed');
              expect(await read(whole, 'json', 'records?values=typed')).to.equal(before);
              expect(await read(tidy, 'json', 'records?values=typed')).to.equal(before);
              expect(await read(whole, 'json', 'records')).to.equal(await read(full, 'json', 'records'));
            });
          },
        ),
        { numRuns: 10 },
      );
    });
  }

  it('can be imported with its misfits and its trailer', async () => {
    const study = armsStudy();
    const loose = study.fields.map((field) =>
      field.name === 'pain' ? { ...field, type: 'text', choicesOrCalculations: '' } : field,
    );
    const rows = [{ id: 'P-1', redcap_event_name: 'start_arm_1', pain: 'a lot', mood: 'g' }];
    await withTwins({ ...study, fields: loose, rows }, 10, async (full, target) => {
      await full.client.fields.put(study.fields);
      for (const [format, query] of [
        ['json', ''],
        ['ndjson', '&trailer=true'],
      ] as const) {
        const body = await read(full, format, `records?values=typed${query}`);
        expect(body).to.include('"misfits":{"count":1');

        await put(target, format, body);

        expect(await read(target, 'json', 'records')).to.equal(await read(full, 'json', 'records'));
      }
    });
  });
});

/** Without the rows of forms that were not begun, which contain nothing to import. */
function begun(ndjson: string, instrument: string): string {
  return ndjson
    .split('\n')
    .filter((line) => line !== '' && !line.includes(`"${instrument}_complete":null`))
    .join('\n');
}

/** Runs with services in front of a project with the rows of the study, and two empty copies of it. */
async function withTwins(
  study: Study,
  batchSize: number,
  run: (full: TestService, whole: TestService, tidy: TestService) => Promise<void>,
): Promise<void> {
  const empty = { ...study, rows: [] };
  const start = (project: Study): Promise<StudyService> =>
    startStudyService(project, { imports: { batchSize, recordIdMinLength: 1 } });
  const services = await Promise.all([start(study), start(empty), start(empty)]);
  try {
    await run(...services);
  } finally {
    await Promise.all(services.map((service) => service.close()));
  }
}

async function read({ url, authorization }: TestService, format: Format, path: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    headers: { authorization, accept: MEDIA_TYPES[format] },
  });
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  return text;
}

async function put({ url, authorization }: TestService, format: Format, body: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/records?values=typed`, {
    method: 'POST',
    headers: { authorization, 'content-type': MEDIA_TYPES[format] },
    body,
  });
  expect(response.status, await response.text()).to.equal(200);
}
