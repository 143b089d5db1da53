import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { SANDBOX_FAULTS, type SandboxFault } from '../../../src/sandbox/redcap/send-other.js';
import { rejection } from '../../support/rejection.js';
import { runCrf } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startService, type TestService } from '../../support/start-service.js';
import { download, withFaults } from '../../support/fault-client.js';

const RECORD = 'COHORT-2026-PARTICIPANT-0001';

/** One call of each form that an answer can have. */
const CALLS: readonly (readonly [form: string, call: (client: CrfClient) => Promise<unknown>])[] = [
  ['text', (client) => client.getVersion()],
  ['a JSON object', (client) => client.project.getInfo()],
  ['a JSON list', (client) => client.fields.list()],
  ['a stream of JSON', (client) => download(client, 'json')],
  ['a stream of CSV', (client) => download(client, 'csv')],
  ['CSV with labels', (client) => client.openRecords({ format: 'csv', rawOrLabelHeaders: 'label' })],
  ['an import', (client) => client.importRecords([{ record_id: RECORD }])],
  ['a file', (client) => client.files.get({ record: RECORD, field: 'consent_form' })],
  ['a PDF', (client) => client.pdf.get({ record: RECORD })],
  ['a deletion', (client) => client.records.delete([RECORD])],
];

/** The error that says so, on every surface. */
const CODES: Readonly<Record<SandboxFault, { readonly code: string; readonly status: number }>> = {
  offline: { code: 'upstream_offline', status: 503 },
  banned: { code: 'upstream_banned', status: 502 },
};

const BLAMES_SOMETHING_ELSE = /URL|token|right/i;

describe('A REDCap that is offline, or bans the address', () => {
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let client: CrfClient;
  let service: TestService;

  before(async () => {
    sandbox = await startTestSandbox();
    client = createCrfClient({ url: sandbox.url, token: sandbox.token, resilience: { cacheMs: 0 } });
    service = await startService({ capture: client });
  });
  after(async () => {
    await service.close();
    await sandbox.close();
  });
  afterEach(() => (sandbox.fault = undefined));

  for (const fault of SANDBOX_FAULTS) {
    const { code, status } = CODES[fault];

    for (const [form, call] of CALLS) {
      it(`UP-02: is ${code} where ${form} was asked for`, async () => {
        sandbox.fault = fault;

        const error = await rejection(call(client));

        expect(error).to.include({ code, status, isInDoubt: false });
        expect(error.message).to.not.match(BLAMES_SOMETHING_ELSE);
      });
    }

    it(`UP-02: is ${code} for callers of the REST API, and the service stays in service`, async () => {
      sandbox.fault = fault;
      const { authorization } = service;

      const answer = await fetch(`${service.url}/api/v1/records`, { headers: { authorization } });
      const ready = await fetch(`${service.url}/health/ready`);

      expect(answer.status).to.equal(status);
      expect(await answer.json()).to.include({ code });
      expect(ready.status).to.equal(200);
    });

    it(`UP-02: is ${code} in crf check, which neither blames the address nor the token`, async () => {
      sandbox.fault = fault;
      const environment = { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token };

      const { exitCode, stdout } = await runCrf(['check', '--json'], { environment });
      const { checks } = JSON.parse(stdout) as { checks: { name: string; code?: string; advice?: string }[] };
      const version = checks.find(({ name }) => name === 'version');

      expect(exitCode).to.equal(4);
      expect(version).to.include({ status: 'failed', code });
      expect(version).to.not.have.property('advice');
    });
  }

  it('UP-02: is used again as soon as it answers', async () => {
    sandbox.fault = 'offline';
    await rejection(client.getVersion());
    sandbox.fault = undefined;

    expect(await client.getVersion()).to.equal('16.1.9');
  });
});

const BANNED = 'Your IP address (192.0.2.7) has been banned due to suspected abuse.';
const SENTENCE =
  'REDCap is currently offline. Please return at another time. We apologize for any inconvenience.';
const page = (text: string): string =>
  `<!DOCTYPE html>\n<html><head><style>p { color: red }</style></head><body><p><b>${text}</b></p></body></html>`;

const ANSWERS: readonly (readonly [what: string, status: number, body: string, code: string])[] = [
  ['the ban as plain text', 200, BANNED, 'upstream_banned'],
  ['the ban with 429', 429, BANNED, 'upstream_banned'],
  ['the ban with 403', 403, page(BANNED), 'upstream_banned'],
  ['an offline page with 503', 503, page(SENTENCE), 'upstream_offline'],
  ['an API error that says so', 400, JSON.stringify({ error: SENTENCE }), 'upstream_offline'],
  [
    "administrators' own words",
    200,
    page('Our REDCap is unavailable due to system maintenance until Monday.'),
    'upstream_offline',
  ],
  ["a proxy's page", 503, page('The site is down for scheduled maintenance.'), 'upstream_offline'],
  // Neither is about REDCap's state.
  ['a home page on an app', 200, page('The mobile app collects data offline.'), 'upstream_invalid'],
  [
    "a web server's usual 503",
    503,
    page(
      'The server is temporarily unable to service your request due to maintenance downtime or capacity problems.',
    ),
    'upstream_unavailable',
  ],
  [
    'a refused value that says so',
    400,
    JSON.stringify({ error: 'The value "REDCap is offline" of the field is not valid' }),
    'upstream_rejected',
  ],
];

describe('An answer that REDCap does not document', () => {
  for (const [what, status, body, code] of ANSWERS) {
    it(`UP-02: is ${code}, and is not repeated where that is useless: ${what}`, async () => {
      await withFaults(
        () => ({ kind: 'answer', status, body, headers: { 'content-type': 'text/html' } }),
        async ({ client, server }) => {
          expect(await rejection(client.project.getInfo())).to.have.property('code', code);
          if (code !== 'upstream_unavailable') expect(server.requests).to.have.length(1);
        },
        { resilience: { maxRetries: 3, retryBaseMs: 1 } },
      );
    });
  }
});

describe('A REDCap that cannot be reached', () => {
  it('ERR-02: is explained in the same words by errors, the log and crf check', async () => {
    const url = 'https://redcap.invalid/api/';
    const client = createCrfClient({ url, token: 'A'.repeat(32), resilience: { maxRetries: 0 } });
    const environment = { CAPTURE_API_URL: url, CAPTURE_API_TOKEN: 'A'.repeat(32) };

    const { message } = await rejection(client.getVersion());
    const { stdout } = await runCrf(['check'], { environment });
    client.close();
    const words = /the name of the host was not found \([A-Z_]+\)/i;

    expect(message).to.match(words);
    expect(stdout.toLowerCase()).to.include(words.exec(message)?.[0].toLowerCase());
    expect(message + stdout).to.not.include('redcap.invalid/');
  });

  it('ERR-02: is explained for a broken connection, too', async () => {
    await withFaults(
      () => ({ kind: 'reset' }),
      async ({ client }) => {
        const { message } = await rejection(client.getVersion());

        expect(message).to.include('the connection was broken (ECONNRESET)');
      },
    );
  });
});
