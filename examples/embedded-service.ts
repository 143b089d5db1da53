/**
 * The REST API inside a program of yours, with one API key. `CAPTURE_API_URL=… CAPTURE_API_TOKEN=… node
 * examples/embedded-service.ts` prints the key, which is kept nowhere, and where the service listens.
 */
import { createApiKey, createApp, createCrfClient, createHttpServer, hashApiKey } from 'crf-service';
import { once } from 'node:events';
import type { Server } from 'node:http';

/** Serves a project to whoever has the key. */
export async function serveProject(url: string, token: string, key: string): Promise<Server> {
  const app = createApp({
    capture: createCrfClient({ url, token }),
    // Of a key only its hash is kept: hashApiKey makes it, and so does `crf key create`.
    access: {
      apiKeys: [{ name: 'portal', sha256: hashApiKey(key), scopes: ['project:read', 'records:read'] }],
    },
  });
  const server = createHttpServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

if (process.argv[1] === import.meta.filename) {
  const { CAPTURE_API_URL = '', CAPTURE_API_TOKEN = '' } = process.env;
  const key = createApiKey();
  const server = await serveProject(CAPTURE_API_URL, CAPTURE_API_TOKEN, key);
  process.stdout.write(`${JSON.stringify({ key, address: server.address() })}\n`);
}
