import { expect } from 'chai';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { EndedRequest } from '../../../../src/http/request-observer.js';
import { startService, type TestService } from '../../../support/start-service.js';
import { until } from '../../../support/until.js';

describe('requestMetrics', () => {
  let service: TestService;
  let ended: EndedRequest[];
  let began = 0;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  before(async () => {
    service = await startService({
      requests: {
        began: () => {
          began += 1;
          return (each) => void ended.push(each);
        },
      },
    });
  });
  after(async () => {
    agent.destroy();
    await service.close();
  });
  beforeEach(() => {
    ended = [];
    began = 0;
  });

  /** Sends a request over the one connection. @returns what was reported, and the bytes of the body */
  async function send(method: string, path: string): Promise<[EndedRequest, number]> {
    const reported = ended.length;
    const sent = request(service.url + path, { method, agent });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { length } = await buffer(answer);
    return [await until(() => ended[reported]), length];
  }

  it('LOG-05: reports the bytes of each answer, and not those sent before on the connection', async () => {
    const [, first] = await send('GET', '/openapi.json');
    const [health, second] = await send('GET', '/health');

    expect(first).to.be.above(100_000);
    expect(ended[0]?.bytes).to.be.within(first, first + 2_000);
    expect(health.bytes).to.be.within(second + 1, second + 2_000);
  });

  it('LOG-05: reports the template, the status and the problem, and no other method than the known ones', async () => {
    const [refused] = await send('GET', '/api/v1/people/nobody@example.org');
    const [odd] = await send('PROPFIND', '/health');
    const [head] = await send('HEAD', '/health');

    expect(refused).to.include({
      method: 'GET',
      route: '/api/v1/people/{email}',
      status: 401,
      problem: 'unauthenticated',
    });
    expect(odd).to.include({ method: '_OTHER', status: 405, problem: 'method_not_allowed' });
    expect(head).to.include({ method: 'HEAD', route: '/health', status: 200, problem: undefined });
    expect(began).to.equal(3);
    // In seconds: the clock of the process has run for many thousand milliseconds by now.
    for (const { seconds } of ended) expect(seconds).to.be.within(0, performance.now() / 1000);
  });

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`LOG-05: reports ${method} by its name`, async () => {
      expect((await send(method, '/health'))[0]).to.include({ method });
    });
  }
});
