import { once } from 'node:events';
import http, { type Agent, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { startService, type TestService } from '../../support/start-service.js';

const MEDIA_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

const ROW = JSON.stringify({ record_id: 'short', note: 'x'.repeat(1000) });
const BODIES = {
  json: `{"records":[${Array<string>(20_000).fill(ROW).join(',')}]}`,
  ndjson: `${ROW}\n`.repeat(20_000),
  csv: `record_id,note\n${`short,${'x'.repeat(1000)}\n`.repeat(20_000)}`,
};

describe('An invalid import of 20 MB', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const format of ['json', 'ndjson', 'csv'] as const) {
    it(`is refused with an answer and without closing the connection, as ${format}`, async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

      const answers = [await posted(agent, service, format), await posted(agent, service, format)];
      agent.destroy();

      for (const { status, text } of answers) {
        expect(status).to.equal(422);
        expect(JSON.parse(text)).to.have.property('errors').with.lengthOf(100);
      }
    });
  }
});

/** Posts over one kept connection, which unread bytes of the first request would block. */
async function posted(agent: Agent, { url, authorization }: TestService, format: keyof typeof BODIES) {
  const body = BODIES[format];
  const request = http.request(`${url}/api/v1/records`, {
    method: 'POST',
    agent,
    headers: {
      authorization,
      'content-type': MEDIA_TYPES[format],
      'content-length': Buffer.byteLength(body),
    },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await readText(response) };
}
