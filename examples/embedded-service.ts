/**
 * The REST API inside your own program, with one API key. `CAPTURE_API_URL=… CAPTURE_API_TOKEN=… node
 * examples/embedded-service.ts` prints the address of the service and the key, which is not stored.
 */
import { createApiKey, createApp, createCrfClient, createHttpServer, hashApiKey } from 'crf-service';
import { once } from 'node:events';
import type { Server } from 'node:http';

/** Serves a project to whoever has the key. */
export async function serveProject(url: string, token: string, key: string): Promise<Server> {
  const app = createApp({
    capture: createCrfClient({ url, token }),
    // Only the hash of a key is stored. `crf key create` also prints it.
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
