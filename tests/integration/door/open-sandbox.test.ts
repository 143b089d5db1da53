import { expect } from 'chai';
import { createApiKey, hashApiKey } from '../../../src/services/access/api-key.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { startSandbox } from '../../../src/sandbox.js';

const PUBLIC_TOKEN = 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00';

const call = (url: string, parameters: Readonly<Record<string, string>>, headers = {}) =>
  fetch(`${url}/api/`, { method: 'POST', body: new URLSearchParams(parameters), headers });

describe("REDCap's API of a whole service", () => {
  it('is served on an open sandbox for the token that it prints, in lower case too', async () => {
    const server = await startWholeService();
    try {
      expect(server.openToken).to.equal(PUBLIC_TOKEN);
      for (const token of [PUBLIC_TOKEN, PUBLIC_TOKEN.toLowerCase()]) {
        const answer = await call(server.url, { token, content: 'version' });
        expect([answer.status, await answer.text()]).to.deep.equal([200, '16.1.9']);
      }
      const client = createCrfClient({ url: `${server.url}/api/`, token: PUBLIC_TOKEN });
      expect(
        await client.importRecords([{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: '37' }]),
      ).to.include({ count: 1 });
      const overRest = await fetch(`${server.url}/api/v1/records/COHORT-2026-PARTICIPANT-0001?fields=age`);
      expect(await overRest.text()).to.include('"age":"37"');
      client.close();
    } finally {
      await server.stop();
    }
  });

  it('DOOR-01: refuses another token, none, and what a page of another site sends', async () => {
    const server = await startWholeService();
    try {
      for (const token of ['A'.repeat(32), '']) {
        const answer = await call(server.url, { token, content: 'version', format: 'json' });
        expect(answer.status).to.equal(403);
        expect(Object.keys((await answer.json()) as object)).to.deep.equal(['error']);
      }
      const parameters = { token: PUBLIC_TOKEN, content: 'record', data: '[]', returnFormat: 'json' };
      const foreign = await call(server.url, parameters, { 'sec-fetch-site': 'cross-site' });
      expect(foreign.status).to.equal(403);
    } finally {
      await server.stop();
    }
  });

  for (const [what, environment, status] of [
    ['API_DOOR=off', { API_DOOR: 'off' }, 404],
    ['a sandbox that is open to every machine', { ALLOW_ANONYMOUS: 'true' }, 404],
    ['a sandbox that nobody may call without a key', { ALLOW_ANONYMOUS: 'false' }, 403],
    ['a sandbox with keys', { API_KEYS: `portal:${hashApiKey(createApiKey())}:project:read` }, 403],
  ] as const) {
    it(`DOOR-01: does not take the public token with ${what}`, async () => {
      const server = await startWholeService(environment);
      try {
        expect(server.openToken).to.equal(undefined);
        const answer = await call(server.url, { token: PUBLIC_TOKEN, content: 'version' });
        expect(answer.status).to.equal(status);
      } finally {
        await server.stop();
      }
    });
  }

  it("DOOR-01: does not take REDCap's own token, although the service is open on this machine", async () => {
    const sandbox = await startSandbox();
    const server = await startWholeService({
      CAPTURE_API_URL: sandbox.url,
      CAPTURE_API_TOKEN: sandbox.token,
    });
    try {
      expect(server.openToken).to.equal(undefined);
      const answer = await call(server.url, { token: sandbox.token, content: 'version' });
      expect(answer.status).to.equal(403);
    } finally {
      await server.stop();
      await sandbox.close();
    }
  });
});
