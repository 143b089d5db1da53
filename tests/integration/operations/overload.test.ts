import { once } from 'node:events';
import http from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { pino } from 'pino';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { startService, type TestService } from '../../support/start-service.js';

const VERSION = '/api/v1/project/version';

describe('OPS-04: while the event loop is delayed', () => {
  const log: string[] = [];
  let isLate = false;
  let service: TestService;
  let agent: http.Agent;

  before(async () => {
    const logger = pino({ level: 'warn' }, { write: (line) => void log.push(line) });
    service = await startService({ isOverloaded: () => isLate, logger });
    agent = new http.Agent({ keepAlive: true });
  });
  after(async () => {
    agent.destroy();
    await service.close();
  });

  it('requests beside others are refused with 503 and Retry-After, liveness is answered, and service resumes', async () => {
    const held = await holdRequest(service.url, service.authorization);
    const paths = [...Array.from({ length: 50 }, () => VERSION), '/health/ready', '/nowhere', '/health'];
    isLate = true;
    const [live, ...shed] = (await Promise.all(paths.map((path) => answer(path)))).reverse();

    expect(live).to.include({ status: 200 });
    for (const { status, code, retryAfter } of shed) {
      expect({ status, code, retryAfter }).to.deep.equal({
        status: 503,
        code: 'overloaded',
        retryAfter: '2',
      });
    }

    expect(log).to.have.lengthOf(shed.length);
    for (const line of log) {
      expect(JSON.parse(line)).to.include({ level: 40, code: 'overloaded', msg: 'request refused' });
      expect(line).to.not.include('stack');
      expect(line.length).to.be.below(300);
    }

    isLate = false;
    expect(await answer(VERSION)).to.include({ status: 200 });
    await held.release();
  });

  it('a request is served if it is the only one', async () => {
    isLate = true;
    for (let count = 0; count < 5; count += 1) expect(await answer(VERSION)).to.include({ status: 200 });
    isLate = false;
  });

  async function answer(path: string) {
    const { authorization } = service;
    const request = http.get(service.url + path, { agent, headers: { authorization } });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const { code } = JSON.parse(await readText(response)) as { code?: string };
    return { status: response.statusCode, code, retryAfter: response.headers['retry-after'] };
  }
});

describe('OPS-04: the heap limit', function () {
  this.timeout(60_000);
  let server: ServerProcess;

  afterEach(async () => {
    server.kill('SIGKILL');
    await server.exited;
  });

  for (const [description, percent, status] of [
    ['refuses requests when exceeded', '5', 503],
    ['serves requests otherwise', '100', 200],
  ] as const) {
    it(description, async () => {
      // A new process uses a third of a hundred megabytes.
      server = await runServer({ MAX_HEAP_PERCENT: percent }, ['--max-old-space-size=100']);

      const held = await holdRequest(server.url);
      const [live, version] = await Promise.all([fetch(`${server.url}/health`), fetch(server.url + VERSION)]);

      expect([live.status, version.status]).to.deep.equal([200, status]);
      expect(version.headers.get('retry-after')).to.equal(status === 503 ? '2' : null);
      await held.release();
    });
  }
});

describe('OPS-04: a process that gets no processor time', function () {
  this.timeout(60_000);

  it('serves the few requests that it has, however late its event loop is', async () => {
    const server = await runServer({ MAX_EVENT_LOOP_DELAY_MS: '500', ADMIN_PORT: '0' });
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        // Like a limit of the container's processor time: the process stands still, and the request waits.
        server.kill('SIGSTOP');
        const answer = fetch(server.url + VERSION);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        server.kill('SIGCONT');
        statuses.push((await answer).status);
      }
      const metrics = await (
        await fetch(`${server.log.find(({ admin }) => admin !== undefined)?.admin}/metrics`)
      ).text();
      const [, lag = ''] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics) ?? [];

      expect(Number(lag)).to.be.greaterThan(0.5);
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200]);
    } finally {
      server.kill('SIGKILL');
      await server.exited;
    }
  });
});

/** Keeps a request in progress: an import whose body does not end. */
async function holdRequest(url: string, authorization?: string): Promise<{ release(): Promise<void> }> {
  const request = http.request(`${url}/api/v1/records`, {
    method: 'POST',
    agent: false,
    headers: {
      ...(authorization !== undefined && { authorization }),
      'content-type': 'application/json',
      expect: '100-continue',
    },
  });
  const closed = new Promise((resolve) => request.once('close', resolve));
  request.on('error', () => undefined);
  request.flushHeaders();
  // Sent by the service when it has accepted the request.
  await once(request, 'continue');
  return {
    release: async () => {
      request.destroy();
      await closed;
    },
  };
}
