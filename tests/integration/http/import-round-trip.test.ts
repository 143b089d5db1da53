import { once } from 'node:events';
import http, { type Agent, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startService, type TestService } from '../../support/start-service.js';

const MEDIA_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

describe('An export that is imported into an empty project', () => {
  let full: TestService;
  let empty: TestService;
  let stop: () => Promise<unknown>;

  beforeEach(async () => {
    const study = createDemoStudy({ participants: 30 });
    // A file cannot be imported with records, so an export that names one is refused.
    const rows = study.rows.map((row) => ({ ...row, consent_form: '' }));
    const sandboxes = await Promise.all([
      startTestSandbox({ ...study, rows }),
      startTestSandbox({ ...study, rows: [] }),
    ]);
    const clients = sandboxes.map(({ url, token }) => createCrfClient({ url, token }));
    [full, empty] = (await Promise.all(
      clients.map((capture) => startService({ capture, imports: { chunkRows: 20 } })),
    )) as [TestService, TestService];
    stop = () => {
      for (const client of clients) client.close();
      return Promise.all(sandboxes.map((sandbox) => sandbox.close()));
    };
  });

  afterEach(async () => {
    await Promise.all([full.close(), empty.close()]);
    await stop();
  });

  for (const [format, type] of Object.entries(MEDIA_TYPES)) {
    it(`is stored unchanged, through ${format}`, async () => {
      const before = await exported(full, type);

      const answer = await imported(empty, type, format === 'json' ? asImport(before) : before);

      expect(answer.status, answer.text).to.equal(200);
      expect(JSON.parse(answer.text)).to.have.nested.property('data.count', 30);
      const after = await full.client.exportRecords();
      expect(after.length).to.be.above(20);
      expect(await empty.client.exportRecords()).to.deep.equal(after);
      expect(await exported(empty, type)).to.equal(before);
    });
  }

  it('UP-07: is stored once if it is sent twice with a key', async () => {
    const body = asImport(await exported(full, MEDIA_TYPES.json));

    const first = await imported(empty, MEDIA_TYPES.json, body, 'round-trip-1');
    const second = await imported(empty, MEDIA_TYPES.json, body, 'round-trip-1');

    expect(first.status, first.text).to.equal(200);
    expect(second).to.deep.equal(first);
  });

  for (const [format, type] of Object.entries(MEDIA_TYPES)) {
    it(`is refused with an answer and without closing the connection if the ${format} of 20 MB is invalid`, async () => {
      const row = JSON.stringify({ record_id: 'short', note: 'x'.repeat(1000) });
      const body = {
        json: `{"records":[${Array<string>(20_000).fill(row).join(',')}]}`,
        ndjson: `${row}\n`.repeat(20_000),
        csv: `record_id,note\n${`short,${'x'.repeat(1000)}\n`.repeat(20_000)}`,
      }[format];
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

      const answers = [
        await posted(agent, empty, type, body ?? ''),
        await posted(agent, empty, type, body ?? ''),
      ];
      agent.destroy();

      for (const { status, text } of answers) {
        expect(status).to.equal(422);
        expect(JSON.parse(text)).to.have.property('errors').with.lengthOf(100);
      }
    });
  }
});

/** Posts over one kept connection, which unread bytes of the first request would block. */
async function posted(agent: Agent, { url, authorization }: TestService, type: string, body: string) {
  const request = http.request(`${url}/api/v1/records`, {
    method: 'POST',
    agent,
    headers: { authorization, 'content-type': type, 'content-length': Buffer.byteLength(body) },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await readText(response) };
}

async function exported({ url, authorization }: TestService, accept: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/records`, { headers: { authorization, accept } });
  return response.text();
}

async function imported(
  { url, authorization }: TestService,
  type: string,
  body: string,
  key?: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/api/v1/records`, {
    method: 'POST',
    headers: { authorization, 'content-type': type, ...(key && { 'idempotency-key': key }) },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** Turns the envelope of an export into that of an import. */
function asImport(text: string): string {
  const { data } = JSON.parse(text) as { data: unknown };
  return JSON.stringify({ records: data });
}
