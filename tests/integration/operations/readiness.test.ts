import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { createAuthService } from '../../../src/services/auth/create-auth-service.js';
import type { Readiness } from '../../../src/services/health-service.js';
import { SharedState } from '../../../src/gateways/redis/shared-state.js';
import type { IdempotentResult } from '../../../src/services/idempotency/idempotency-store.js';
import { startMemoryAudit } from '../../support/memory-audit.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { until } from '../../support/until.js';
import { startFaultServer, type Fault, type FaultServer } from '../../support/fault-server.js';
import { startService, type TestService } from '../../support/start-service.js';

/** The clients would wait longer than a test may take, so only the limit of the check ends the wait. */
const NEVER_MS = 600_000;

describe('OPS-01: the health of the service', () => {
  let redcap: FaultServer;
  let identity: FaultServer;
  let service: TestService;

  async function start(redcapDoes: Fault, identityDoes: Fault): Promise<void> {
    redcap = await startFaultServer(() => redcapDoes);
    identity = await startFaultServer(() => identityDoes);
    const auth = createAuthService({
      appwrite: {
        endpoint: `http://127.0.0.1:${identity.port}/v1`,
        projectId: 'p',
        apiKey: 'k',
        timeoutMs: 120_000,
      },
      loginUrl: 'http://127.0.0.1:3000/login',
      domainValidation: { allowedDomainsRegexp: 'any' },
    });
    service = await startService({
      capture: createCrfClient({
        url: redcap.url,
        token: 'A'.repeat(32),
        timeouts: { firstByteMs: NEVER_MS, idleMs: NEVER_MS },
        resilience: { totalMs: NEVER_MS },
      }),
      auth: { service: auth, trustedOrigins: [] },
    });
  }

  afterEach(async () => {
    await service.close();
    await Promise.all([redcap.close(), identity.close()]);
  });

  const UP: Fault = { kind: 'answer', body: '16.1.9' };
  const IDENTITY_UP: Fault = {
    kind: 'answer',
    body: 'Pong!',
    headers: { 'content-type': 'text/plain' },
  };
  const HANGS: Fault = { kind: 'hang', at: 'head' };

  const cases: readonly [string, Fault, Fault, [string, string]][] = [
    ['REDCap hangs', HANGS, IDENTITY_UP, ['down', 'up']],
    ['Appwrite hangs', UP, HANGS, ['up', 'down']],
    ['REDCap refuses the connection', { kind: 'reset' }, IDENTITY_UP, ['down', 'up']],
    ['Appwrite fails', UP, { kind: 'answer', status: 500, body: 'SENTINEL' }, ['up', 'down']],
  ];
  for (const [description, redcapDoes, identityDoes, states] of cases) {
    it(`is degraded, but in service, if ${description}, without waiting for it`, async () => {
      await start(redcapDoes, identityDoes);

      const [live, ready] = await Promise.all([
        fetch(`${service.url}/health`),
        fetch(`${service.url}/health/ready`),
      ]);
      const text = await ready.text();

      expect([live.status, ready.status]).to.deep.equal([200, 200]);
      const { status, dependencies } = JSON.parse(text) as Readiness;
      expect(status).to.equal('degraded');
      expect(dependencies.map(({ status }) => status)).to.deep.equal(states);
      expect(text).to.not.match(/127\.0\.0\.1|localhost|16\.1|SENTINEL|http/);
    });
  }

  it('makes one call to REDCap and Appwrite for hundreds of requests, and reveals neither version nor host', async () => {
    await start(UP, IDENTITY_UP);

    const answers = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const answer = await fetch(`${service.url}/health/ready`);
        return { status: answer.status, text: await answer.text() };
      }),
    );

    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(answers.map(({ text }) => text).join('')).to.not.match(/127\.0\.0\.1|16\.1|http/);
    expect([redcap.requests.length, identity.requests.length]).to.deep.equal([1, 1]);
  });

  it('checks nothing outside the process for liveness, however bad things are there', async () => {
    await start(HANGS, HANGS);

    for (let times = 0; times < 20; times += 1) {
      const live = await fetch(`${service.url}/health`);
      expect([live.status, await live.text()]).to.deep.equal([200, '{"status":"ok"}']);
    }

    expect([redcap.connections.opened, identity.connections.opened]).to.deep.equal([0, 0]);
  });

  it('asks a REDCap that fails once, and does not repeat the question', async () => {
    await start({ kind: 'answer', status: 500, body: '' }, IDENTITY_UP);

    await fetch(`${service.url}/health/ready`);

    expect(redcap.requests).to.have.length(1);
  });
});

describe('OPS-01: the health of a service with an audit log', () => {
  it('is not ready while the log cannot be written, and is ready again once it can, without any other call', async () => {
    const { log, audit } = await startMemoryAudit();
    const service = await startService({ audit });
    const readiness = () => fetch(`${service.url}/health/ready`);
    try {
      log.isFull = true;
      const { authorization } = service;
      const refused = await fetch(`${service.url}/api/v1/records`, { headers: { authorization } });
      const notReady = await readiness();
      const found = (await notReady.json()) as Readiness;
      log.isFull = false;
      await until(async () => (await readiness()).status === 200);

      expect([refused.status, notReady.status]).to.deep.equal([503, 503]);
      expect(found.status).to.equal('not_ready');
      expect(found.dependencies.map(({ name, status }) => [name, status])).to.deep.equal([
        ['redcap', 'up'],
        ['audit', 'down'],
      ]);
      expect(log.of('audit.resumed')).to.have.length(1);
    } finally {
      await service.close();
    }
  });
});

describeWith(['redis'], 'OPS-01: the health of replicas that share a Redis', () => {
  it('costs one call to REDCap, whichever replica is asked, and all report the same', async () => {
    const redis = await RedisServer.start();
    const redcap = await startFaultServer(() => ({ kind: 'answer', status: 500, body: '' }));
    const replicas: { readonly service: TestService; readonly shared: SharedState }[] = [];
    try {
      for (let count = 0; count < 3; count += 1) {
        const shared = await SharedState.connect({
          url: redis.url,
          secret: 'one project',
          timeoutMs: 20_000,
        });
        const settings = {
          idempotency: shared.idempotencyStore<IdempotentResult>(),
          health: shared.keyValueStore('health'),
          ping: () => shared.ping(),
        };
        const capture = createCrfClient({ url: redcap.url, token: 'A'.repeat(32) });
        replicas.push({ shared, service: await startService({ capture, shared: settings }) });
      }
      const answers: Readiness[] = [];
      for (const { service } of replicas)
        answers.push((await (await fetch(`${service.url}/health/ready`)).json()) as Readiness);

      expect(redcap.requests).to.have.length(1);
      for (const { status, dependencies } of answers) {
        expect(status).to.equal('degraded');
        expect(dependencies[0]).to.include({ name: 'redcap', status: 'down' });
      }
    } finally {
      await Promise.all(replicas.map(({ service }) => service.close()));
      await Promise.all(replicas.map(({ shared }) => shared.close()));
      await Promise.all([redis.dispose(), redcap.close()]);
    }
  });
});
