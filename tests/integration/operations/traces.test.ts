import { expect } from 'chai';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { closeServer, listen, startService } from '../../support/start-service.js';

describe('A trace', () => {
  it('LOG-06: is passed on to REDCap, and only if the caller sent one', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const redcap = createServer((request, response) => {
      seen.push(request.headers);
      request.resume().on('end', () => response.end('[{"record_id":"COHORT-2026-PARTICIPANT-0001"}]'));
    });
    const client = createCrfClient({ url: `${await listen(redcap)}/api/`, token: 'A'.repeat(32) });
    const service = await startService({ capture: client });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { authorization: service.authorization };

    await fetch(`${service.url}/api/v1/records`, { headers });
    await fetch(`${service.url}/api/v1/records`, {
      headers: { ...headers, traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    });
    await service.close();
    await closeServer(redcap);

    const traces = seen.map(({ traceparent }) => traceparent);
    expect(traces[0]).to.equal(undefined);
    expect(traces.at(-1)).to.match(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  });
});
