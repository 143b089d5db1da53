import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { startFaultServer } from '../../support/fault-server.js';
import { startService } from '../../support/start-service.js';

const ROWS = Array.from({ length: 30 }, (_, index) => ({ record_id: `participant-${index}`, age: '42' }));
const BODY = JSON.stringify(ROWS);

describe('GET /records?limit=10', () => {
  it('STR-04: returns the first rows while REDCap is still answering, and ends that call', async () => {
    // Two thirds of the answer arrive; the rest never does.
    const upstream = await startFaultServer(() => ({ kind: 'hang', at: 'body', body: BODY, fraction: 0.66 }));
    const capture = createCrfClient({ url: upstream.url, token: 'A'.repeat(32) });
    const service = await startService({ capture, access: { allowAnonymous: true } });
    const closed = upstream.nextClose();

    const answer = await fetch(`${service.url}/api/v1/records?limit=10`);
    await closed;

    expect(await answer.json()).to.deep.equal({ data: ROWS.slice(0, 10) });
    expect(await capture.exportRecords({ limit: 3 })).to.deep.equal(ROWS.slice(0, 3));
    await service.close();
    await upstream.close();
  });

  it('refuses an invalid limit, naming it', async () => {
    const service = await startService();
    const { authorization } = service;
    const answer = await fetch(`${service.url}/api/v1/records?limit=0`, { headers: { authorization } });

    expect(answer.status).to.equal(400);
    expect(await answer.text()).to.include('"limit"');
    await service.close();
  });
});
