import { expect } from 'chai';
import type { ConfigurationError } from '../../../src/errors/operator-errors.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { rejection } from '../../support/rejection.js';
import { startReverseProxy } from './reverse-proxy.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith } from '../../support/start-service.js';
import { startWholeService } from '../../support/start-whole-service.js';

const RECORDS = '/api/v1/records?fields=record_id';

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

  it('answers this machine', async () => {
    const { url } = await start({});

    expect((await fetch(`${url}${RECORDS}`)).status).to.equal(200);
  });

  it('answers through the proxy with ALLOW_ANONYMOUS=true', async () => {
    await start({ NODE_ENV: 'production', TRUST_PROXY: '1', ALLOW_ANONYMOUS: 'true' });

    expect((await throughProxy({ 'X-Forwarded-For': '192.0.2.7' })).status).to.equal(200);
  });

  it('requires a credential through the proxy once a key is configured', async () => {
    const { authorization, apiKey } = keyWith('records:read');
    const keys = `${apiKey.name}:${apiKey.sha256}:records:read`;
    await start({ NODE_ENV: 'production', TRUST_PROXY: '1', API_KEYS: keys });

    expect((await throughProxy({})).status).to.equal(401);
    expect((await throughProxy({ 'X-Forwarded-For': '192.0.2.7' }, authorization)).status).to.equal(200);
  });
});
