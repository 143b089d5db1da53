import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { createAuthService } from '../../../src/services/auth/create-auth-service.js';
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
    it(`is alive but not ready if ${description}, without waiting for it`, async () => {
      await start(redcapDoes, identityDoes);

      const [live, ready] = await Promise.all([
        fetch(`${service.url}/health`),
        fetch(`${service.url}/health/ready`),
      ]);
      const text = await ready.text();

      expect([live.status, ready.status]).to.deep.equal([200, 503]);
      const { dependencies } = JSON.parse(text) as { dependencies: { status: string }[] };
      expect(dependencies.map(({ status }) => status)).to.deep.equal(states);
      expect(text).to.not.match(/127\.0\.0\.1|localhost|16\.1|SENTINEL|http/);
    });
  }

  it('makes a few calls to REDCap and Appwrite for hundreds of requests, and reveals neither version nor host', async () => {
    await start(UP, IDENTITY_UP);

    const answers = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const answer = await fetch(`${service.url}/health/ready`);
        return { status: answer.status, text: await answer.text() };
      }),
    );

    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(answers.map(({ text }) => text).join('')).to.not.match(/127\.0\.0\.1|16\.1|http/);
    // One call each in three seconds, however slow the machine: a fraction of the requests.
    expect(redcap.requests).to.have.length.within(1, 60);
    expect(identity.requests).to.have.length.within(1, 60);
  });
});
