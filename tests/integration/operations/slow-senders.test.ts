import http from 'node:http';
import { expect } from 'chai';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

const FORM = '--X\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nrecord_id,';

describe('A body of which a byte arrives now and then', function () {
  this.timeout(20_000);
  let running: ServiceWithAuth;
  let cookie: string;

  before(async () => {
    running = await startServiceWithAuth(
      {},
      {
        access: { sessionScopes: ['project:read', 'records:write', 'design:write', 'design:delete'] },
        limits: { callsPerMinute: 0, exportMinBytesPerSecond: 1024, exportPaceAveragedOverMs: 300 },
      },
    );
    const { cookies } = await running.signedIn('grace');
    cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  });
  after(() => running.close());

  /** Sends a byte every 20 ms until the service answers or closes the connection. */
  function trickle(method: string, path: string, type: string, start: string): Promise<number | 'closed'> {
    return new Promise((resolve) => {
      const headers = { cookie, 'content-type': type, 'sec-fetch-site': 'same-origin', accept: '*/*' };
      const request = http.request(running.service.url + path, { method, headers, agent: false });
      const timer = setInterval(() => request.write(' '), 20);
      const settle = (outcome: number | 'closed'): void => {
        clearInterval(timer);
        request.destroy();
        resolve(outcome);
      };
      request.on('error', () => settle('closed'));
      request.once('response', ({ statusCode = 0 }) => settle(statusCode));
      request.write(start);
    });
  }

  for (const [method, path, type, start] of [
    ['POST', '/api/v1/records', 'application/json', '{"records":[{"record_id":"'],
    ['POST', '/api/v1/records', 'text/csv', 'record_id,age\n"'],
    ['POST', '/api/v1/records?dryRun=true', 'application/x-ndjson', '{"record_id":"'],
    ['PUT', '/api/v1/project/fields', 'text/csv', 'field_name,'],
    ['POST', '/try-file', 'multipart/form-data; boundary=X', FORM],
    ['POST', '/try-file', 'multipart/form-data; boundary=X', 'before the first boundary'],
    ['POST', '/try-file', 'multipart/form-data; boundary=X', `${FORM}\r\n--X\r\n`],
  ] as const) {
    it(`OPS-03: is refused or cut off by ${method} ${path} (${type}, ${JSON.stringify(start.slice(-12))})`, async () => {
      expect(await trickle(method, path, type, start)).to.be.oneOf([408, 422, 'closed']);
    });
  }
});
