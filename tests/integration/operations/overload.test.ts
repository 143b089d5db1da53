import { once } from 'node:events';
import http from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { startService, type TestService } from '../../support/start-service.js';

const VERSION = '/api/v1/project/version';

describe('OPS-04: while the event loop is delayed', () => {
  let isLate = false;
  let service: TestService;
  let agent: http.Agent;

  before(async () => {
    service = await startService({ isOverloaded: () => isLate });
    agent = new http.Agent({ keepAlive: true });
  });
  after(async () => {
    agent.destroy();
    await service.close();
  });

  it('requests are refused with 503 and Retry-After, liveness is answered, and service resumes', async () => {
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

    isLate = false;
    expect(await answer(VERSION)).to.include({ status: 200 });
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

      const [live, version] = await Promise.all([fetch(`${server.url}/health`), fetch(server.url + VERSION)]);

      expect([live.status, version.status]).to.deep.equal([200, status]);
      expect(version.headers.get('retry-after')).to.equal(status === 503 ? '2' : null);
    });
  }
});
