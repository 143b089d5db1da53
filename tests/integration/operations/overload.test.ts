import { once } from 'node:events';
import http from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { OverloadWatch } from '../../../src/process/overload-watch.js';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { startService, type TestService } from '../../support/start-service.js';

const VERSION = '/api/v1/project/version';

describe('OPS-04: while the event loop is late', function () {
  this.timeout(60_000);
  let watch: OverloadWatch;
  let service: TestService;
  let agent: http.Agent;

  before(async () => {
    watch = new OverloadWatch({ eventLoopDelayMs: 500, heapPercent: 0 });
    service = await startService({ isOverloaded: () => watch.isOverloaded });
    agent = new http.Agent({ keepAlive: true });
  });
  after(async () => {
    agent.destroy();
    await service.close();
    watch.stop();
  });

  it('requests are refused with 503 and Retry-After, liveness is answered, and service resumes', async () => {
    const paths = [...Array.from({ length: 50 }, () => VERSION), '/health/ready', '/nowhere', '/health'];
    await Promise.all(paths.map(() => answer('/health'))); // connections that wait for their next request

    service.server.prependOnceListener('request', () => burn(1500));
    const [live, ...shed] = (await Promise.all(paths.map((path) => answer(path)))).reverse();

    expect(live).to.include({ status: 200 });
    for (const { status, code, retryAfter } of shed) {
      expect({ status, code, retryAfter }).to.deep.equal({
        status: 503,
        code: 'overloaded',
        retryAfter: '2',
      });
    }

    await untilServed();
  });

  async function untilServed(): Promise<void> {
    while ((await answer(VERSION)).status !== 200) await sleep(20);
  }

  async function answer(path: string) {
    const { authorization } = service;
    const request = http.get(service.url + path, { agent, headers: { authorization } });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const { code } = JSON.parse(await readText(response)) as { code?: string };
    return { status: response.statusCode, code, retryAfter: response.headers['retry-after'] };
  }
});

describe('OPS-04: while the heap is full', function () {
  this.timeout(60_000);
  let server: ServerProcess;

  afterEach(async () => {
    server.kill('SIGKILL');
    await server.exited;
  });

  for (const [description, percent, status] of [
    ['requests are refused', '5', 503],
    ['and when it is not, they are served', '100', 200],
  ] as const) {
    it(description, async () => {
      // Of a hundred megabytes a process that has just started uses a third.
      server = await runServer({ MAX_HEAP_PERCENT: percent, MAX_EVENT_LOOP_DELAY_MS: '0' }, [
        '--max-old-space-size=100',
      ]);

      const [live, version] = await Promise.all([fetch(`${server.url}/health`), fetch(server.url + VERSION)]);

      expect([live.status, version.status]).to.deep.equal([200, status]);
      expect(version.headers.get('retry-after')).to.equal(status === 503 ? '2' : null);
    });
  }
});

/** Keeps the event loop. */
function burn(forMs: number): void {
  const until = performance.now() + forMs;
  while (performance.now() < until);
}
