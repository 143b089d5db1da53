import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { serveProject } from '../../examples/embedded-service.js';
import { createApiKey } from '../../src/services/access/api-key.js';
import { startTestSandbox } from '../support/start-sandbox.js';
import { closeServer } from '../support/start-service.js';

describe('The example of an embedded service', () => {
  it('serves the project only to callers with the key', async () => {
    const sandbox = await startTestSandbox();
    const key = createApiKey();
    const server = await serveProject(sandbox.url, sandbox.token, key);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/project/version`;

    const [withKey, without] = await Promise.all([
      fetch(url, { headers: { authorization: `Bearer ${key}` } }),
      fetch(url),
    ]);

    expect(withKey.status).to.equal(200);
    expect(without.status).to.equal(401);
    await closeServer(server);
    await sandbox.close();
  });
});
