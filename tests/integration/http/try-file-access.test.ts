import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import {
  UpstreamRefusedError,
  UpstreamUnavailableError,
} from '../../../src/domain/errors/upstream-errors.js';
import { RecordWriter } from '../../../src/services/record-writer.js';
import { write } from '../../support/import-project.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { groupsStudy } from '../../support/groups-study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith, startService } from '../../support/start-service.js';
import { tableRows } from '../../support/table-rows.js';

const HEADERS = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
const READ = ['project:read'] as const;
const refused = (): Promise<never> => Promise.reject(new UpstreamRefusedError());

/** Returns a client of which a member is another one. */
function withMember(client: CrfClient, name: keyof CrfClient, other: unknown): CrfClient {
  return new Proxy(client, {
    get: (target, asked) => {
      const member: unknown = asked === name ? other : Reflect.get(target, asked);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

describe('Who may use /try-file, and how', () => {
  let running: ServiceWithAuth | undefined;
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });

  const start = async (scopes: readonly ('project:read' | 'records:read')[], callsPerMinute = 0) =>
    (running = await startServiceWithAuth(
      {},
      { access: { sessionScopes: scopes }, limits: { callsPerMinute } },
    ));

  it('RATE-01: counts pages that are shown and files that are sent as calls', async () => {
    const person = await (await start(READ, 1)).signedIn('grace');
    const shown = await person.status('/try-file', { headers: HEADERS });
    const shownAgain = await person.status('/try-file', { headers: HEADERS });
    const sent = await person.status('/try-file', { method: 'POST', headers: HEADERS, body: new FormData() });

    expect([shown, shownAgain, sent]).to.deep.equal([200, 429, 429]);
  });

  it('refuses a signed-in person who may not read the project', async () => {
    const person = await (await start(['records:read'])).signedIn('grace');

    expect(await person.status('/try-file', { headers: HEADERS })).to.equal(403);
    expect(await person.status('/dashboard/sessions', { headers: HEADERS })).to.equal(200);
  });

  it('does not exist where nobody can sign in and the service is not open', async () => {
    const service = await startService({ access: { apiKeys: [keyWith('project:read').apiKey] } });
    try {
      expect((await fetch(`${service.url}/try-file`, { headers: HEADERS })).status).to.equal(404);
    } finally {
      await service.close();
    }
  });

  for (const [path, allowed] of [
    ['/try-file', 'GET, HEAD, POST'],
    ['/try-file/example.csv', 'GET, HEAD'],
  ] as const) {
    it(`refuses other methods at ${path} with 405, and names those that it knows`, async () => {
      const person = await (await start(READ)).signedIn('grace');
      const answer = await person.send(path, { method: 'PUT', headers: HEADERS });

      expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, allowed]);
    });
  }

  it('refuses a file whose stated length is over the limit before it is read', async () => {
    const person = await (await start(READ)).signedIn('grace');
    const answer = await person.send('/try-file', {
      method: 'POST',
      headers: { ...HEADERS, 'content-type': 'text/plain' },
      body: 'x'.repeat(10 * 1024 * 1024 + 1),
    });

    expect(answer.status).to.equal(422);
    expect(await answer.text()).to.include('more than 10 MB');
  });

  it('gives an example with mistakes, as a download', async () => {
    const person = await (await start(READ)).signedIn('grace');
    const answer = await person.send('/try-file/example.csv');

    expect(answer.headers.get('content-disposition')).to.equal(
      'attachment; filename="example-with-mistakes.csv"',
    );
    expect(answer.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(await answer.text()).to.match(/^record_id,age,site,.*\r\nEXAMPLE-/);
  });

  it('finds every mistake of its example, one of each kind', async () => {
    const person = await (await start(READ)).signedIn('grace');
    const example = await (await person.send('/try-file/example.csv')).text();
    const form = new FormData();
    form.set('file', new Blob([example]), 'example.csv');
    const answer = await person.send('/try-file', { method: 'POST', headers: HEADERS, body: form });
    const page = await answer.text();
    const found = tableRows(page);

    expect(answer.status).to.equal(422);
    expect(found.map(([, field, , , lines]) => `${lines} ${field}`)).to.deep.equal([
      '2 age',
      '2 ages',
      '3 site',
      '3 consent_date',
      '4 record_id',
    ]);
  });

  for (const path of ['/try-file/', '/Try-File', '/try-file/example.csv/']) {
    it(`serves nothing at ${path}`, async () => {
      const person = await (await start(READ)).signedIn('grace');

      expect(await person.status(path, { headers: HEADERS })).to.equal(404);
    });
  }

  for (const [name, unread, said] of [
    ['dags', { list: refused }, 'Not checked: whether the project has the data access groups'],
    ['project', { getInfo: refused }, 'Not checked: whether the events and instruments of the rows'],
  ] as const)
    it(`IN-23: says what was not checked, because the token may not read it: ${name}`, async () => {
      const redcap = await startTestSandbox(groupsStudy());
      const client = createCrfClient({ url: redcap.url, token: redcap.token });
      try {
        running = await startServiceWithAuth(
          {},
          { capture: withMember(client, name, unread), access: { sessionScopes: READ } },
        );
        const person = await running.signedIn('grace');
        const form = new FormData();
        const row =
          'id,redcap_event_name,redcap_data_access_group,name\r\nRECORD-2026-00000001,start_arm_1,nowhere,x\r\n';
        form.set('file', new Blob([row]), 'a.csv');
        const answer = await person.send('/try-file', { method: 'POST', headers: HEADERS, body: form });

        expect(await answer.text()).to.include(said);
        expect(answer.status).to.equal(200);
        const records = [{ id: '1', redcap_event_name: 'start_arm_1', redcap_data_access_group: 'nowhere' }];
        const writer = new RecordWriter(withMember(client, name, unread), { recordIdMinLength: 1 });
        expect(await write(writer, JSON.stringify({ records }), { dryRun: true }))
          .to.have.property('notChecked')
          .that.has.length(1);
      } finally {
        await redcap.close();
      }
    });

  it('says that an import was interrupted with 502, and what may be stored', async () => {
    const redcap = await startTestSandbox();
    const client = createCrfClient({ url: redcap.url, token: redcap.token });
    const lost = (): Promise<never> => Promise.reject(new UpstreamUnavailableError('first byte'));
    const capture = withMember(client, 'importData', lost);
    try {
      running = await startServiceWithAuth(
        {},
        { capture, access: { sessionScopes: ['project:read', 'records:write'] } },
      );
      const person = await running.signedIn('grace');
      const form = new FormData();
      form.set('file', new Blob(['record_id,age\r\nCOHORT-2026-PARTICIPANT-0901,40\r\n']), 'a.csv');
      const answer = await person.send('/try-file?store=yes', {
        method: 'POST',
        headers: HEADERS,
        body: form,
      });

      expect(answer.status).to.equal(502);
      expect(await answer.text())
        .to.include('The import stopped after 0 records had been stored.')
        .and.include('Records numbers 1 to 1 may have been stored too: the answer of REDCap was lost');
    } finally {
      await redcap.close();
    }
  });
});
