import { expect } from 'chai';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

describe('The REDCap sandbox, whose token is public', () => {
  let sandbox: RedcapSandbox & { readonly token: string };
  beforeEach(async () => {
    sandbox = await startTestSandbox();
  });
  afterEach(() => sandbox.close());

  /** Sends what a form on a web page would send: a request to delete a record. */
  async function deleteRecord(headers: Readonly<Record<string, string>>) {
    const [record = ''] = sandbox.project.records.ids;
    const form = new URLSearchParams({
      token: sandbox.token,
      content: 'record',
      action: 'delete',
      returnFormat: 'json',
      'records[0]': record,
    });
    const request = http
      .request(sandbox.url, {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
      .end(form.toString());
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const answer = await text(response);
    const exists = sandbox.project.records.ids.includes(record);
    return { status: response.statusCode, answer, exists };
  }

  for (const [title, status, headers] of [
    ['the name of another host', 421, { host: 'rebound.example.org' }],
    ['the name of another host, and a port', 421, { host: 'rebound.example.org:80' }],
    ['the origin of another site', 403, { origin: 'https://evil.example.org' }],
    ['the origin of a page without one', 403, { origin: 'null' }],
    ['the origin of another port of this machine', 403, { origin: 'http://127.0.0.1:1' }],
    ['the browser headers of another site', 403, { 'sec-fetch-site': 'cross-site' }],
    ['the browser headers of another port', 403, { 'sec-fetch-site': 'same-site' }],
  ] as const) {
    it(`CSRF-01: changes nothing for ${title}`, async () => {
      const outcome = await deleteRecord(headers);

      expect(outcome.status).to.equal(status);
      expect(outcome.exists).to.equal(true);
      expect(outcome.answer).to.not.include(sandbox.token);
    });
  }

  it('answers programs under any loopback name', async () => {
    const port = new URL(sandbox.url).port;
    for (const headers of [{}, { host: 'LOCALHOST' }, { host: `[::1]:${port}` }]) {
      expect(await deleteRecord(headers)).to.include({ status: 200, exists: false });
    }
  });
});
