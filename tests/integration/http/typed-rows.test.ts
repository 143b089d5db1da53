import { expect } from 'chai';
import fc from 'fast-check';
import request from 'supertest';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { TypedRow } from '../../../src/gateways/redcap/crf-client.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startService, type TestService } from '../../support/start-service.js';
import { armsStudy } from '../../support/studies.js';
import { PROJECT } from './random-export-project.js';

describe('Typed rows', () => {
  let service: TestService;
  let close: () => Promise<void>;
  const get = (path: string, accept = 'application/json') =>
    request(service.server)
      .get(`/api/v1/${path}`)
      .set('Authorization', service.authorization)
      .set('Accept', accept)
      .buffer(true);

  before(async () => {
    const sandbox = await startTestSandbox({
      ...armsStudy(),
      surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
    });
    service = await startService({ capture: createCrfClient({ url: sandbox.url, token: sandbox.token }) });
    close = async () => {
      await service.close();
      await sandbox.close();
    };
  });
  after(() => close());

  it('of one instrument have only its columns', async () => {
    const { body } = await get('instruments/visit/rows');

    expect(body.data).to.deep.equal(
      ['1', '2'].map((instance) => ({
        id: '1',
        redcap_event_name: 'visit_arm_1',
        redcap_repeat_instrument: '',
        redcap_repeat_instance: Number(instance),
        weight: instance === '1' ? '70.0' : '71.5',
        seen: '',
        half: instance === '1' ? '35' : '35.75',
        visit_complete: '0',
      })),
    );
  });

  it('have numbers, booleans, lists, null and missing data codes', async () => {
    const { body } = await get('instruments/enrol/rows?values=typed');

    expect(body).to.not.have.property('misfits');
    expect(body.data[0]).to.deep.include({
      id: '1',
      redcap_event_name: 'start_arm_1',
      alive: true,
      smoker: false,
      mood: 'g',
      marks: ['Aa'],
      pain: 40,
      enrol_complete: '2',
    });
    expect(body.data[1]).to.deep.include({
      id: '2',
      name: { missing: 'UNK' },
      mood: { missing: '-9' },
      pain: null,
    });
  });

  it('have labels on request', async () => {
    const { body } = await get('instruments/enrol/rows?values=typed&labels=true&missing=null');

    expect(body.data[0].mood).to.deep.equal({ code: 'g', label: 'Good' });
    expect(body.data[1].mood).to.equal(null);
  });

  it('end with a trailer in NDJSON, and have a header in CSV', async () => {
    const ndjson = await get('instruments/visit/rows?values=typed&trailer=true', 'application/x-ndjson');
    const csv = await get('instruments/enrol/rows?values=typed&records=2', 'text/csv');

    expect(ndjson.text.trim().split('\n').at(-1)).to.equal(
      '{"_complete":true,"records":2,"misfits":{"count":0,"fields":{},"first":[]}}',
    );
    expect(csv.text.split('\n')[0]).to.equal(
      'id,redcap_event_name,name,consent,alive,smoker,mood,marks,pain,note,enrol_complete',
    );
  });

  it('have the columns of surveys in CSV on request', async () => {
    const { text } = await get('records?values=typed&exportSurveyFields=true&forms=enrol', 'text/csv');
    const { text: none } = await get(
      'records?values=typed&exportSurveyFields=true&forms=enrol&filterLogic=[pain]=99',
      'text/csv',
    );

    const structure =
      'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,redcap_survey_identifier';
    expect(text.split('\n')[0]).to.equal(
      `${structure},enrol_timestamp,name,consent,alive,smoker,mood,marks,pain,note,enrol_complete`,
    );
    expect(none).to.equal(`${structure},name,consent,alive,smoker,mood,marks,pain,note,enrol_complete\n`);
  });

  it('are the same in batches', async () => {
    const [whole, batched] = await Promise.all([
      get('records?values=typed'),
      get('records?values=typed&batchSize=1'),
    ]);

    expect(whole.body.data).to.have.length(5);
    expect(batched.body).to.deep.equal(whole.body);
  });

  it('accept options with their default values', async () => {
    const [plain, spelled] = await Promise.all([
      get('records?values=typed', 'text/csv'),
      get('records?values=typed&combineCheckboxOptions=false&csvDelimiter=,', 'text/csv'),
    ]);

    expect([spelled.status, spelled.text]).to.deep.equal([200, plain.text]);
  });

  it('refuse a decimal character, which would change numbers before they are typed', async () => {
    const { status, body } = await get('records?values=typed&decimalCharacter=,');

    expect(status).to.equal(400);
    expect(body.errors[0]).to.include({ field: 'decimalCharacter' });
  });

  it('can be paged', async () => {
    const { body, headers } = await get('records?values=typed&pageSize=1');

    expect(headers['link']).to.include(`cursor=${body.next}>`);
    expect(body.data[0]).to.deep.include({ id: '1', alive: true });
  });

  for (const path of ['records?', 'instruments/visit/rows?', 'instruments/visit/rows?values=typed&'])
    it(`leads by next and Link from page to page of ${path} until there is none`, async () => {
      const whole = (await get(path)).body.data as object[];
      const paged: object[] = [];
      let cursor: string | undefined;
      do {
        const { body, headers } = await get(`${path}pageSize=1${cursor ? `&cursor=${cursor}` : ''}`);
        expect(headers['link']?.includes(`cursor=${body.next}>`)).to.equal(body.next && true);
        paged.push(...body.data);
        cursor = body.next;
      } while (cursor !== undefined);

      expect(whole.length).to.be.above(1);
      expect(paged).to.deep.equal(whole);
    });

  for (const [query, field] of [
    ['values=typed&type=eav', 'type'],
    ['values=typed&rawOrLabel=label', 'rawOrLabel'],
    ['labels=true', 'labels'],
    ['values=typed&labels=true&format=csv', 'labels'],
    ['values=typed&combineCheckboxOptions=true', 'combineCheckboxOptions'],
  ] as const) {
    it(`are refused with ${query}`, async () => {
      const { status, body } = await get(`records?${query}`);

      expect(status).to.equal(400);
      expect(body.errors[0].field).to.equal(field);
    });
  }

  it('of an unknown instrument are refused with a suggestion', async () => {
    const { status, body } = await get('instruments/visitt/rows');

    expect(status).to.equal(404);
    expect(body.errors[0].message).to.equal('is not an instrument of this project; did you mean visit?');
  });

  it('report misfits, and drop no values', async () => {
    const study = armsStudy();
    const loose = study.fields.map((field) =>
      ['pain', 'mood'].includes(field.name) ? { ...field, type: 'text', choicesOrCalculations: '' } : field,
    );
    const rows = [{ id: '9', redcap_event_name: 'start_arm_1', pain: 'a lot', mood: 'x' }];
    const sandbox = await startTestSandbox({ ...study, fields: loose, rows });
    const client = createCrfClient({ url: sandbox.url, token: sandbox.token });
    // REDCap keeps values that were stored before their field had its type.
    await client.fields.put(study.fields);
    const misfits: string[] = [];
    const typed: TypedRow[] = [];
    for await (const row of client.rows('enrol', { onMisfit: (_, column) => misfits.push(column) }))
      typed.push(row);
    client.close();
    await sandbox.close();

    expect(typed[0]).to.include({ pain: 'a lot', mood: 'x' });
    expect(misfits).to.deep.equal(['mood', 'pain']);
  });

  it('of a random project can be imported again without changes', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(PROJECT, async (study) => {
        const [full, empty] = await Promise.all([
          startTestSandbox(study),
          startTestSandbox({ ...study, rows: [] }),
        ]);
        const [from, to] = [full, empty].map(({ url, token }) => createCrfClient({ url, token }));
        if (from === undefined || to === undefined) throw new Error('There are two.');
        for (const { name } of study.instruments) {
          const rows: TypedRow[] = [];
          for await (const row of from.rows(name, { exportBlankForGrayFormStatus: true })) {
            if (wasSaved(row, name)) rows.push(row);
          }
          if (rows.length > 0) await to.importRows(rows);
        }
        const [before, after] = await Promise.all([from.exportRecords(), to.exportRecords()]);
        from.close();
        to.close();
        await Promise.all([full.close(), empty.close()]);

        expect(after).to.deep.equal(before);
      }),
      { numRuns: 25 },
    );
  });
});

/** Forms that were never saved contain nothing to import. */
function wasSaved(row: TypedRow, instrument: string): boolean {
  return row[`${instrument}_complete`] !== null;
}
