import { expect } from 'chai';
import fc from 'fast-check';
import { Writable } from 'node:stream';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { groupsStudy, OWN } from '../../support/groups-study.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { createLogger } from '../../../src/server/logging/logger.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import type { CreateAppOptions } from '../../../src/app/create-app-options.js';

interface Entry {
  readonly at: string;
  readonly action: string;
  readonly record?: string;
  readonly fields?: readonly string[];
  readonly instruments?: readonly string[];
}

interface Started {
  readonly sandbox: RedcapSandbox;
  readonly client: CrfClient;
  readonly service: TestService;
  get(path: string, accept?: string): Promise<Response>;
  close(): Promise<void>;
}

async function start(study: Study, options: Partial<CreateAppOptions> = {}): Promise<Started> {
  const sandbox = await startTestSandbox(study);
  const client = createCrfClient({ url: sandbox.url, token: sandbox.token });
  const service = await startService({ capture: client, ...options });
  return {
    sandbox,
    client,
    service,
    get: (path, accept = 'application/json') =>
      fetch(service.url + path, { headers: { authorization: service.authorization, accept } }),
    close: async () => {
      await service.close();
      await sandbox.close();
    },
  };
}

describe('GET /api/v1/log', () => {
  let started: Started;

  before(async () => {
    started = await start(classicStudy(), { timeZone: 'Europe/Paris' });
  });
  after(() => started.close());

  const entriesOf = async (query: string): Promise<Entry[]> =>
    ((await (await started.get(`/api/v1/log${query}`)).json()) as { data: Entry[] }).data;

  /** Possible actions, and their expected log entries. */
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('write' as const),
      record: fc.constantFrom('1', '2', '3'),
      age: fc.nat(99),
    }),
    fc.record({ kind: fc.constant('delete' as const), record: fc.constantFrom('1', '2', '3') }),
    fc.record({ kind: fc.constant('export' as const) }),
  );

  it('lists what was done, in order, each action once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { client, sandbox } = started;
        for (const id of ['1', '2', '3']) sandbox.project.records.delete(id);
        const said: unknown[] = [];
        for (const one of steps) {
          if (one.kind === 'export') {
            await client.exportRecords({ fields: ['id'] });
            said.push(['data_exported', undefined, undefined]);
            continue;
          }
          const exists = sandbox.project.records.get(one.record) !== undefined;
          if (one.kind === 'delete') {
            if (!exists) continue;
            await client.records.delete([one.record]);
            said.push(['record_deleted', one.record, ['id']]);
          } else {
            await client.importRecords([{ id: one.record, age: one.age }]);
            said.push(
              exists
                ? ['record_updated', one.record, ['age']]
                : ['record_created', one.record, ['id', 'age']],
            );
          }
        }

        const entries = (await entriesOf('')).filter(({ action }) => action !== 'design_or_management');

        const logged = entries
          .slice(0, said.length)
          .map(({ action, record, fields }) => [action, record, fields]);
        expect(logged.reverse()).to.deep.equal(said);
      }),
      { numRuns: 10 },
    );
  });

  it('FILE-06: contains names but never values, whatever a value looks like', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          "SENTINEL', sentinel = '",
          "x', SENTINEL",
          '[instance = 2] SENTINEL',
          'SENTINEL (Arm 1: x)',
        ),
        fc.string({ maxLength: 10 }),
        async (poison, noise) => {
          const { client, sandbox } = started;
          sandbox.project.log.add({
            username: 'data.manager',
            kind: 'record_edit',
            action: 'Update record (API) 2',
            details: `age = '${noise}${poison}${noise}'`,
            record: '2',
          });

          for (const accept of ['application/json', 'application/x-ndjson']) {
            const text = await (await started.get('/api/v1/log?type=record', accept)).text();
            expect(text.toLowerCase()).to.not.include('sentinel');
          }
          expect(client).to.be.an('object');
        },
      ),
      { numRuns: 12 },
    );
  });

  it('gives the time zone, and the offset of each time', async () => {
    await started.client.importRecords([{ id: 'z', age: 1 }]);
    const { timeZone, data } = (await (await started.get('/api/v1/log?type=record')).json()) as {
      timeZone: string;
      data: Entry[];
    };

    expect(timeZone).to.equal('Europe/Paris');
    expect(data[0]?.at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\+0[12]:00$/);
  });

  it('is read in pages, whose links lead to the last entry, and up to a limit', async () => {
    const all = await entriesOf('?type=record');
    const paged: Entry[] = [];
    let page: string | null | undefined = `${started.service.url}/api/v1/log?type=record&pageSize=2`;
    while (typeof page === 'string') {
      const answer: Response = await fetch(page, {
        headers: { authorization: started.service.authorization },
      });
      const { data, next } = (await answer.json()) as { data: Entry[]; next?: string };
      expect(data.length).to.be.within(1, 2);
      paged.push(...data);
      page = /^<(http[^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
      expect(next ?? null).to.equal(
        new URL(page ?? answer.url.split('?')[0] ?? '').searchParams.get('cursor'),
      );
    }

    expect(all.length).to.be.greaterThan(4);
    expect(paged).to.deep.equal(all);
    expect(await entriesOf('?type=record&limit=3')).to.deep.equal(all.slice(0, 3));
  });

  it('refuses the cursor of another query, and a limit beside pages', async () => {
    const first = await started.get('/api/v1/log?type=record&pageSize=1');
    const cursor = /cursor=([\w-]+)/.exec(first.headers.get('link') ?? '')?.[1] ?? '';

    for (const [query, field] of [
      [`type=user&cursor=${cursor}`, 'cursor'],
      [`type=record&limit=1&cursor=${cursor}`, 'limit'],
      ['pageSize=0', 'pageSize'],
    ] as const) {
      const refused = await started.get(`/api/v1/log?${query}`);
      expect(refused.status, query).to.equal(400);
      expect(await refused.json()).to.have.nested.property('errors[0].field', field);
    }
  });

  it('is one entry per line in NDJSON', async () => {
    const lines = (await (await started.get('/api/v1/log?type=record', 'application/x-ndjson')).text())
      .trim()
      .split('\n');

    expect(lines.map((line) => (JSON.parse(line) as Entry).at)).to.not.include(undefined);
  });

  for (const [query, status] of [
    ['?from=yesterday', 400],
    ['?from=2026-02-30', 400],
    ['?from=2026-01-01T00:00:00Z&until=2026-01-02', 200],
    ['?from=24h&until=1m', 200],
    ['?type=everything', 400],
    ['?user=', 400],
    ['?record=2&type=record_edit', 200],
  ] as const) {
    it(`answers ${query} with ${status}`, async () => {
      const answer = await started.get(`/api/v1/log${query}`);

      expect(answer.status).to.equal(status);
      await answer.arrayBuffer();
    });
  }

  it('refuses an offset if the time zone is unknown, and returns none', async () => {
    const unknown = await start(classicStudy());
    await unknown.client.importRecords([{ id: 'z', age: 1 }]);

    const answer = await unknown.get('/api/v1/log?from=2026-01-01T00:00:00Z');
    const { data, timeZone } = (await (await unknown.get('/api/v1/log?from=2026-01-01')).json()) as {
      data: Entry[];
      timeZone: null;
    };

    expect(await answer.json()).to.have.nested.property('errors[0].field', 'from');
    expect(timeZone).to.equal(null);
    expect(data.at(-1)?.at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00$/);
    await unknown.close();
  });
});

describe('GET /api/v1/log?dag=', () => {
  const north = keyWith('log:read');
  const whole = keyWith('log:read');
  let client: SandboxClient;
  let service: TestService;

  before(async () => {
    client = await startSandboxClient(groupsStudy());
    await client.client.importRecords([{ id: OWN, redcap_event_name: 'start_arm_1', mood: 'b' }]);
    const set = readPolicyFile(POLICY);
    const lock = acceptAll(set, await loadProjectStructure(client.client));
    const apiKeys = Object.entries({ north, whole }).map(([name, { apiKey }]) => ({ ...apiKey, name }));
    service = await startService({
      capture: client.client,
      policy: new CallerViews(client.client, { set, lock }, 'secret'),
      access: { apiKeys },
    });
  });
  after(async () => {
    await service.close();
    await client.close();
  });

  const ask = async ({ authorization }: typeof north, dag: string, more = ''): Promise<unknown[]> => {
    const headers = { authorization, accept: 'application/json' };
    const answer = await fetch(`${service.url}/api/v1/log?dag=${dag}${more}`, { headers });
    const { instance: _, ...body } = (await answer.json()) as Record<string, unknown>;
    return [answer.status, JSON.stringify(body)];
  };

  it('has the entries of a group', async () => {
    for (const key of [north, whole]) {
      const [status, body] = await ask(key, 'north');
      expect(status).to.equal(200);
      expect(body).to.include(OWN).and.not.include('SOUTH-');
    }
  });

  it('refuses a group that the project does not have, for a page too', async () => {
    for (const more of ['', '&pageSize=5']) {
      const [status, body] = await ask(whole, 'nope', more);
      expect(status).to.equal(400);
      expect(body).to.include('nope is not a data access group of this project').and.include('"dag"');
    }
  });

  it('answers for a group that a policy hides as for one that does not exist', async () => {
    const [status, hidden] = await ask(north, 'south');
    const asNope = [status, String(hidden).replaceAll('south', 'nope')];

    expect(asNope).to.deep.equal(await ask(north, 'nope'));
    expect(asNope).to.deep.equal(await ask(whole, 'nope'));
  });
});

const POLICY = `version: 1
policies:
  north: { records: { dag: north }, forms: { '*': read }, log: read }
  whole: { records: all, forms: { '*': read }, log: read }
bindings:
  - { key: north, policy: north }
  - { key: whole, policy: whole }
`;

describe('The routes of surveys', () => {
  const SURVEYS = [{ instrument: 'enrol', hasReturnCodes: true }];
  const EVENT = 'event=start_arm_1';

  it('FILE-05: return links and codes that are neither logged nor cached', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    });
    const logger = await createLogger({ level: 'trace', destination });
    const started = await start({ ...armsStudy(), surveys: SURVEYS }, { logger });
    const secrets: string[] = [];
    for (const path of [
      `/api/v1/records/1/surveys/enrol/link?${EVENT}`,
      `/api/v1/records/1/surveys/enrol/return-code?${EVENT}`,
      '/api/v1/records/1/surveys/queue-link',
      `/api/v1/surveys/enrol/access-code?record=1&${EVENT}`,
    ]) {
      const answer = await started.get(path);
      const { data } = (await answer.json()) as { data: { link?: string; code?: string } };
      secrets.push(data.link ?? data.code ?? 'nothing was given');

      expect(answer.status, path).to.equal(200);
      expect(answer.headers.get('cache-control'), path).to.equal('no-store');
    }
    const answer = await started.get(`/api/v1/surveys/enrol/participants?${EVENT}`);
    const known = { authorization: started.service.authorization, 'if-none-match': '*' };
    expect((await fetch(answer.url, { headers: known })).status).to.equal(304);
    const { data } = (await answer.json()) as { data: { link: string; accessCode: string }[] };
    secrets.push(...data.flatMap(({ link, accessCode }) => [link, accessCode]));
    await started.close();

    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(secrets.slice(0, 4).join(' ')).to.match(
      /^https:\S+\?s=\w+ [A-Z0-9]{8} https:\S+\?sq=\w+ [A-Z0-9]{9}$/,
    );
    expect(lines.length).to.be.greaterThan(4);
    for (const secret of secrets) expect(lines.join('')).to.not.include(secret.replace(/^.*=/, ''));
  });

  for (const [path, field, status] of [
    [`/api/v1/records/1/surveys/meds/link?${EVENT}`, 'instrument', 404],
    ['/api/v1/surveys/enrol/access-code', 'record', 400],
  ] as const) {
    it(`refuse ${path}, naming ${field}`, async () => {
      const started = await start({ ...armsStudy(), surveys: SURVEYS });

      const answer = await started.get(path);

      expect(answer.status).to.equal(status);
      expect(await answer.json()).to.have.nested.property('errors[0].field', field);
      await started.close();
    });
  }
});

describe('GET /api/v1/records/{record}/surveys/queue-link', () => {
  it('answers 404 for an unknown record', async () => {
    const started = await start(armsStudy());

    const answer = await started.get('/api/v1/records/nobody/surveys/queue-link');

    expect(answer.status).to.equal(404);
    expect(await answer.json()).to.have.property('code', 'record_not_found');
    await started.close();
  });
});

describe('GET /api/v1/reports/{report} and GET /api/v1/project/xml', () => {
  let started: Started;

  before(async () => {
    const reports = [{ id: 7, title: 'Ages', fields: ['age'], filterLogic: '[age] > 20' }];
    started = await start({ ...classicStudy(), reports });
  });
  after(() => started.close());

  it('return the rows of a report in each of the three formats', async () => {
    const path = '/api/v1/reports/7';
    const rows = [
      { id: '2', age: '30' },
      { id: 'A-1', age: '40' },
    ];

    expect(await (await started.get(path)).json()).to.deep.equal({ data: rows });
    expect(await (await started.get(path, 'application/x-ndjson')).text()).to.equal(
      rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
    expect(await (await started.get(path, 'text/csv')).text()).to.equal('id,age\n2,30\nA-1,40\n');
    const trailed = await (await started.get(`${path}?format=ndjson&trailer=true`)).text();
    expect(trailed.trim().split('\n').at(-1)).to.equal('{"_complete":true,"records":2}');
  });

  it('refuse an unknown report, and an option of another format', async () => {
    const unknown = await started.get('/api/v1/reports/8');
    expect(unknown.status).to.equal(404);
    expect(await unknown.json()).to.include({ code: 'report_not_found' });
    for (const path of ['/api/v1/reports/0', '/api/v1/reports/7?trailer=true']) {
      expect((await started.get(path)).status, path).to.equal(400);
    }
  });

  it('return the project as XML, as an attachment', async () => {
    const answer = await started.get('/api/v1/project/xml?metadataOnly=true', 'application/xml');

    expect(answer.headers.get('content-type')).to.equal('application/xml; charset=utf-8');
    expect(answer.headers.get('content-disposition')).to.match(
      /^attachment; filename="project\.REDCap\.xml"$/,
    );
    expect(await answer.text()).to.match(/<ODM [\s\S]*<\/ODM>\s*$/);
  });
});
