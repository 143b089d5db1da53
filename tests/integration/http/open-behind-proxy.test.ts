import { expect } from 'chai';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ConfigurationError } from '../../../src/domain/errors/operator-errors.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { describeWith } from '../../support/needed-programs.js';
import { NginxServer } from '../../support/nginx-server.js';
import { rejection } from '../../support/rejection.js';
import { startReverseProxy } from './reverse-proxy.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith } from '../../support/start-service.js';
import { startWholeService } from '../../support/start-whole-service.js';

const RECORDS = '/api/v1/records?fields=record_id';

const ID = 'COHORT-2026-PARTICIPANT-0901';

/** Sends a record as JSON or CSV, or, where records are queried, the query for its field. */
async function send(
  url: string,
  { path, type }: { readonly path: string; readonly type: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const json = path.includes('query')
    ? { fields: ['record_id'] }
    : { records: [{ record_id: ID, age: '52' }] };
  const body = new FormData();
  body.append('file', new Blob([`record_id,age\n${ID},52\n`]), 'rows.csv');
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    ...(type === 'text/csv'
      ? { body, headers: { ...headers, 'sec-fetch-site': 'same-origin' } }
      : { body: JSON.stringify(json), headers: { ...headers, 'content-type': type } }),
  });
  const text = await answer.text();
  expect(answer.status, text).to.equal(200);
}

describe('A project without API_KEYS behind a proxy', () => {
  let redcap: RedcapSandbox & { readonly token: string };
  let running: RunningServer | undefined;
  before(async () => {
    redcap = await startTestSandbox();
  });
  after(() => redcap.close());
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });

  /** Starts the service in front of a project, as an operator would. */
  async function start(environment: Readonly<Record<string, string>>): Promise<RunningServer> {
    const capture = { CAPTURE_API_URL: redcap.url, CAPTURE_API_TOKEN: redcap.token };
    running = await startWholeService({
      ...capture,
      DRAIN_DELAY_MS: '0',
      AUDIT_LOG: 'off',
      ...environment,
    });
    return running;
  }

  /** Requests records through a proxy that adds these headers. */
  async function throughProxy(added: Readonly<Record<string, string>>, authorization?: string) {
    const proxy = await startReverseProxy(running?.url ?? '', added);
    try {
      const answer = await fetch(`${proxy.url}${RECORDS}`, {
        headers: authorization ? { authorization } : {},
      });
      return { status: answer.status, body: await answer.text() };
    } finally {
      await proxy.close();
    }
  }

  for (const [title, environment] of [
    ['with NODE_ENV=production', { NODE_ENV: 'production' }],
    ['with TRUST_PROXY', { TRUST_PROXY: '1' }],
    ['with a proxy known by its network', { TRUST_PROXY: 'loopback' }],
    ['with both', { NODE_ENV: 'production', TRUST_PROXY: '1' }],
  ] as const) {
    it(`does not start ${title}, and names the three remedies`, async () => {
      const error = await rejection(start(environment));

      expect(error).to.have.property('code', 'invalid_configuration');
      for (const way of ['API_KEYS', 'APPWRITE_*', 'ALLOW_ANONYMOUS=true'])
        expect((error as unknown as ConfigurationError).message).to.include(way);
    });
  }

  for (const header of [
    'Forwarded',
    'Via',
    'X-Real-IP',
    'X-Forwarded-For',
    'X-Forwarded-Proto',
    'x-forwarded-by',
  ]) {
    it(`refuses requests forwarded with ${header}`, async () => {
      await start({});

      const { status, body } = await throughProxy({ [header]: '192.0.2.7' });

      expect(status).to.equal(403);
      expect(JSON.parse(body)).to.include({ code: 'proxied_request' });
      expect(body).to.not.include('record_id');
    });
  }

  it('refuses HTTP/1.0, as a proxy speaks it that is not configured, and says why', async () => {
    const { url } = await start({});
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);

    socket.end(`GET ${RECORDS} HTTP/1.0\r\nHost: ${host}\r\n\r\n`);

    const answer = await text(socket);
    expect(answer)
      .to.match(/^HTTP\/1\.\d 403 /)
      .and.include('"proxied_request"')
      .and.include('HTTP/1.0');
    expect(answer).to.not.include('record_id');
  });

  it('answers this machine', async () => {
    const { url } = await start({});

    expect((await fetch(`${url}${RECORDS}`)).status).to.equal(200);
  });

  it('answers through the proxy with ALLOW_ANONYMOUS=true', async () => {
    await start({ NODE_ENV: 'production', TRUST_PROXY: '1', ALLOW_ANONYMOUS: 'true' });

    expect((await throughProxy({ 'X-Forwarded-For': '192.0.2.7' })).status).to.equal(200);
  });

  for (const [what, allowed, warned] of [
    ['an import', { path: '/api/v1/records', type: 'application/json' }, 1],
    ['a dry run', { path: '/api/v1/records?dryRun=true', type: 'application/json' }, 0],
    ['a long query', { path: '/api/v1/records/query', type: 'application/json' }, 0],
    ['a file that is stored', { path: '/try-file?store=yes', type: 'text/csv' }, 1],
    ['a file that is checked', { path: '/try-file', type: 'text/csv' }, 0],
  ] as const) {
    it(`logs ${warned === 1 ? 'a' : 'no'} warning for ${what} without a credential`, async () => {
      const { url, logger } = await start({ LOG_LEVEL: 'warn' });
      const lines: unknown[][] = [];
      logger.warn = (...line: unknown[]) => void lines.push(line);

      await send(url, allowed);

      expect(lines).to.have.length(warned);
      for (const [marks, sentence] of lines) {
        expect(sentence).to.match(/^OPEN: /);
        expect(marks).to.deep.include({ method: 'POST', route: allowed.path.replace(/\?.*/, '') });
        expect(JSON.stringify(marks)).to.not.include(ID);
      }
    });
  }

  it('logs no warning for changes with a key', async () => {
    const { authorization, apiKey } = keyWith('records:write');
    const keys = `${apiKey.name}:${apiKey.sha256}:records:write`;
    const { url, logger } = await start({ LOG_LEVEL: 'warn', API_KEYS: keys });
    const lines: unknown[] = [];
    logger.warn = (...line: unknown[]) => void lines.push(line);

    await send(url, { path: '/api/v1/records', type: 'application/json' }, { authorization });

    expect(lines).to.deep.equal([]);
  });

  it('requires a credential through the proxy once a key is configured', async () => {
    const { authorization, apiKey } = keyWith('records:read');
    const keys = `${apiKey.name}:${apiKey.sha256}:records:read`;
    await start({ NODE_ENV: 'production', TRUST_PROXY: '1', API_KEYS: keys });

    expect((await throughProxy({})).status).to.equal(401);
    expect((await throughProxy({ 'X-Forwarded-For': '192.0.2.7' }, authorization)).status).to.equal(200);
  });
});

describeWith(['nginx'], 'A project without API_KEYS behind nginx', () => {
  let redcap: RedcapSandbox & { readonly token: string };
  let running: RunningServer;
  before(async () => {
    redcap = await startTestSandbox();
    const capture = { CAPTURE_API_URL: redcap.url, CAPTURE_API_TOKEN: redcap.token };
    running = await startWholeService({ ...capture, AUDIT_LOG: 'off' });
  });
  after(async () => {
    await running.stop();
    await redcap.close();
  });

  for (const isBare of [true, false]) {
    it(`refuses everything that comes through ${isBare ? 'a bare proxy_pass' : 'the shipped file'}`, async () => {
      const nginx = await NginxServer.start([Number(new URL(running.url).port)], { isBare });
      try {
        const agent = new Agent({ ca: nginx.certificate, servername: nginx.host });
        for (const path of [RECORDS, '/', '/dashboard', '/try-file', '/health']) {
          const { status, body } = isBare
            ? await plainGet(nginx.plainUrl + path)
            : await secureGet(nginx.url + path, agent, nginx.host);
          expect([path, status, body.includes('record_id')]).to.deep.equal([path, isBare ? 403 : 421, false]);
        }
        agent.destroy();
      } finally {
        await nginx.dispose();
      }
    });
  }
});

async function plainGet(url: string): Promise<{ status: number; body: string }> {
  const answer = await fetch(url, { headers: { connection: 'close' } });
  return { status: answer.status, body: await answer.text() };
}

async function secureGet(url: string, agent: Agent, host: string): Promise<{ status: number; body: string }> {
  const [answer] = (await once(get(url, { agent, headers: { host } }), 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}
