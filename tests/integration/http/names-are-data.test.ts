import { expect } from 'chai';
import { createCrfClient, createServiceClient } from '../../../src/client.js';
import { defineInstrument } from '../../support/define-instrument.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { armsStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

const CODES = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
const CHOICES = CODES.map((code) => `${code}, The ${code}`).join(' | ');

/**
 * A study whose fields, instruments, events, codes, groups and users have the names of what every JavaScript object
 * inherits. All are valid in REDCap.
 */
function inheritedStudy(): Study {
  const events = ['constructor_arm_1', '__proto___arm_1'];
  const first = { redcap_event_name: 'constructor_arm_1', redcap_data_access_group: 'constructor' };
  return {
    ...armsStudy(),
    fields: [
      ...defineInstrument('constructor', [
        { name: 'id', type: 'text', label: 'Id' },
        { name: 'constructor', type: 'text', label: 'Constructor', validationType: 'integer' },
        { name: 'prototype', type: 'radio', label: 'Prototype', choicesOrCalculations: CHOICES },
      ]),
      ...defineInstrument('prototype', [
        { name: 'boxes', type: 'checkbox', label: 'Boxes', choicesOrCalculations: CHOICES },
        {
          name: 'note',
          type: 'notes',
          label: 'Note',
          branchingLogic: "[constructor] > 1 or [prototype] = 'toString'",
        },
      ]),
    ],
    instruments: ['constructor', 'prototype'].map((name) => ({ name, label: name })),
    project: { ...armsStudy().project, missingDataCodes: 'valueOf, Unknown' },
    arms: [{ number: 1, name: 'constructor' }],
    events: events.map((uniqueName) => ({ uniqueName, label: uniqueName, arm: 1 })),
    mappings: events.flatMap((event) =>
      ['constructor', 'prototype'].map((instrument) => ({ event, instrument })),
    ),
    repeating: [],
    groups: [{ uniqueName: 'constructor', name: 'constructor', id: 1 }],
    rows: [
      { id: '1', ...first, constructor: '7', prototype: 'toString', constructor_complete: '2' },
      { id: '1', redcap_event_name: '__proto___arm_1', boxes___constructor: '1', prototype_complete: '2' },
      { id: '2', ...first, prototype: 'valueOf', prototype_complete: '0' },
    ],
  };
}

describe('A project with the names of what every object inherits', () => {
  let service: StudyService;
  before(async () => {
    service = await startStudyService(inheritedStudy(), { imports: { recordIdMinLength: 1 } });
  });
  after(() => service.close());

  const read = async (path: string, accept = 'application/json') => {
    const answer = await service.send('get', path).set('Accept', accept).buffer(true);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(200);
    return answer;
  };
  const rowsOf = async (query = '') =>
    (await read(`/records?${query}`)).body.data as Record<string, unknown>[];

  it('is exported in every format', async () => {
    const [row, later, blank] = await rowsOf();
    expect(row).to.include({ constructor: '7', prototype: 'toString' });
    expect(later).to.include({ constructor: '', prototype: '', boxes___constructor: '1' });
    expect(blank).to.include({ constructor: '', prototype: 'valueOf' });

    const [typed, , typedBlank] = await rowsOf('values=typed');
    expect(typed).to.deep.include({ constructor: 7, prototype: 'toString' });
    expect(typedBlank).to.deep.include({ constructor: null });
    const labelled = await rowsOf('values=typed&labels=true');
    expect(labelled[0]?.['prototype']).to.deep.equal({ code: 'toString', label: 'The toString' });

    const eav = await rowsOf('type=eav');
    expect(eav).to.deep.include({
      ...{ record: '1', redcap_event_name: 'constructor_arm_1', field_name: 'constructor', value: '7' },
    });
    expect((await read('/records', 'text/csv')).text.split('\n')[0]).to.include(',constructor,prototype,');
    expect((await read('/records', 'application/x-ndjson')).text).to.include('"constructor":"7"');
    expect(await rowsOf('fields=constructor,prototype&records=2')).to.have.length(1);
    expect(await rowsOf('forms=constructor&events=constructor_arm_1&batchSize=1')).to.have.length(2);
    expect(await rowsOf("filterLogic=[constructor]=7 and [prototype]='toString'")).to.not.deep.equal([]);
  });

  it('is exported as nested documents', async () => {
    const { body } = await read('/records/1?shape=nested');
    expect(JSON.stringify(body)).to.include('"constructor":"7"');
    await read('/records/1');
    expect(JSON.stringify((await read('/records/2?shape=nested&values=typed')).body)).to.not.include(
      'native code',
    );
  });

  for (const [type, query, bodyOf] of [
    ['application/json', '', (row: object) => JSON.stringify([row])],
    ['application/json', '', (row: object) => JSON.stringify({ records: [row] })],
    ['application/x-ndjson', '', (row: object) => JSON.stringify(row)],
    ['application/json', 'values=typed', (row: object) => JSON.stringify([{ ...row, constructor: 8 }])],
    ['text/csv', '', (row: object) => `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`],
  ] as const)
    it(`is imported as ${type} ${query}, by its own names alone`, async () => {
      const row = {
        id: '3',
        redcap_event_name: 'constructor_arm_1',
        constructor: '8',
        prototype: '__proto__',
      };
      const send = (body: string, more: string) =>
        service
          .send('post', `/records?${[query, more].join('&')}`)
          .type(type)
          .send(body);

      const tried = await send(bodyOf(row), 'dryRun=true');
      expect(tried.status, tried.text).to.equal(200);
      expect(tried.text).to.not.include('native code');
      expect((await send(bodyOf(row), '')).status).to.equal(200);
      const [stored] = await rowsOf('records=3');
      expect(stored).to.include({ constructor: '8', prototype: '__proto__' });

      // Without the field, what an object inherits is not its value.
      const { constructor: _constructor, prototype: _prototype, ...without } = row;
      const other = { ...without, id: '4', note: 'x' };
      if (query === '')
        expect((await send(bodyOf(other), 'dryRun=true')).text).to.not.include('"constructor"');
      if (query === '') expect((await send(bodyOf(other), '')).status).to.equal(200);
      if (query === '') expect((await rowsOf('records=4'))[0]).to.include({ constructor: '', prototype: '' });
    });

  it('is imported as one value per row', async () => {
    const place = { record: '5', redcap_event_name: 'constructor_arm_1' };
    const rows = [
      { ...place, field_name: 'constructor', value: '9' },
      { ...place, field_name: 'prototype', value: 'hasOwnProperty' },
    ];
    const client = createCrfClient({ url: service.redcapUrl, token: DEMO_TOKEN });
    await client.importRecords(rows, { type: 'eav' });
    client.close();

    expect((await rowsOf('records=5'))[0]).to.include({ constructor: '9', prototype: 'hasOwnProperty' });
  });

  it('refuses a misspelt one as it refuses any other, and never takes an inherited name for a column', async () => {
    const answer = await service
      .send('post', '/records?dryRun=true')
      .type('application/x-ndjson')
      .send('{"id":"6","redcap_event_name":"constructor_arm_1","constructr":"1","toString":"1"}');

    expect(answer.status).to.equal(422);
    expect(answer.body.errors[0]).to.include({ field: 'constructr' });
    expect(answer.text).to.include('constructor').and.not.include('native code');
  });

  it('is described: structure, dictionary, schema, types, OpenAPI document, summary, distributions, quality', async () => {
    for (const path of [
      '/project/info',
      '/project/fields',
      '/project/schema',
      '/project/types',
      '/project/openapi.json',
      '/project/instruments',
      '/project/events',
      '/project/arms',
      '/project/summary',
      '/project/quality',
      '/project/users',
      '/project/roles',
      '/project/dags',
      '/instruments/constructor/rows',
      ...['constructor', 'prototype', 'boxes'].flatMap((field) =>
        ['', '?by=dag', '?by=arm'].map((by) => `/project/summary/fields/${field}${by}`),
      ),
    ]) {
      const accept = path.endsWith('quality') ? 'application/json' : '*/*';
      expect((await read(path, accept)).text, path).to.not.include('native code');
    }
    const { body } = await read('/project/summary/fields/prototype');
    const counted = body.data.choices.map(({ code, n }: { code: string; n: number }) => [code, n]);
    expect(counted).to.deep.include(['toString', 1]).and.deep.include(['__proto__', 1]);
    expect((await read('/project/types', 'text/plain')).text).to.include('constructor: crf.IntegerField');
  });

  it('has rights by instrument, of users and roles', async () => {
    const username = 'constructor';
    const user = { username, forms: { constructor: 130, prototype: 129 } };

    const put = await service.send('put', '/project/users', { data: [user] });

    expect(put.status, put.text).to.equal(200);
    const { body } = await read('/project/users');
    const stored = body.data.find((each: { username: string }) => each.username === username);
    expect(stored, JSON.stringify(body).slice(0, 400)).to.be.an('object');
    expect(stored.forms).to.include({ constructor: 130, prototype: 129 });
    expect(JSON.stringify(body)).to.not.include('native code');
  });

  it('is read by the clients', async () => {
    const client = createCrfClient({ url: service.redcapUrl, token: DEMO_TOKEN });
    const rows = await client.exportRecords({ records: ['1'] });
    const typed: unknown[] = [];
    for await (const row of client.rows('constructor')) typed.push(row);
    await client.importRows([
      { id: '7', redcap_event_name: 'constructor_arm_1', constructor: 10, prototype: 'constructor' },
    ]);
    client.close();
    const remote = createServiceClient({
      baseUrl: service.url,
      apiKey: service.authorization.slice('Bearer '.length),
    });
    const { data } = await remote.GET('/api/v1/records', { params: { query: { records: ['7'] } } });

    expect(rows[0]).to.include({ constructor: '7' });
    expect(typed[0]).to.include({ constructor: 7, prototype: 'toString' });
    expect(JSON.stringify(data)).to.include('"constructor":"10"');
  });
});
