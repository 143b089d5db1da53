import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { hashApiKey } from '../../../src/services/access/api-key.js';
import { startService, type TestService } from '../../support/start-service.js';

/** The service in front of every project of a sandbox. */
export interface Door {
  /** Where it answers REDCap's API. */
  readonly url: string;
  close(): Promise<void>;
}

/** The token of a call, in either form of body. */
const TOKEN = /(?:^|&)token=([0-9A-Fa-f]*)|name="token"\r\n(?:[^\r]+\r\n)*\r\n([0-9A-Fa-f]*)/;

/**
 * Starts the service in front of a sandbox, once for each token with which it is called: an unrestricted key that is the
 * same as the token, so that a client's suite needs no other tokens. What makes projects goes to the sandbox, because no
 * key does it.
 *
 * @param sandboxUrl ends with `/api/`
 */
export async function startDoor(sandboxUrl: string): Promise<Door> {
  const services = new Map<string, Promise<TestService>>();
  const serviceOf = (token: string): Promise<TestService> => {
    const service = services.get(token) ?? startFor(token, sandboxUrl);
    services.set(token, service);
    return service;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const [, plain, ofPart = ''] = TOKEN.exec(body.subarray(0, 4096).toString('latin1')) ?? [];
    const token = (plain ?? ofPart).toUpperCase();
    const isSuper = token.length > 32;
    // The suite of REDCapR asks for the 404 of a web server at another path.
    const isElsewhere = !/^\/api\/?(?:\?|$)/.test(request.url ?? '');
    const url = isSuper || isElsewhere ? sandboxUrl : (await serviceOf(token)).url;
    const target = new URL(request.url ?? '/', url);
    const passed = http.request(target, {
      method: request.method,
      headers: { ...request.headers, host: target.host },
    });
    passed.end(body);
    const [answered] = (await once(passed, 'response')) as [IncomingMessage];
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
  };

  const server = http.createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      for (const service of services.values()) await (await service).close();
    },
  };
}

/** A token that the sandbox does not know is not one of the service either. */
async function startFor(token: string, sandboxUrl: string): Promise<TestService> {
  const body = new URLSearchParams({ token, content: 'version' });
  const isKnown = token.length === 32 && (await fetch(sandboxUrl, { method: 'POST', body })).ok;
  return startService({
    capture: createCrfClient({
      url: sandboxUrl,
      token: isKnown ? token : '0'.repeat(32),
      resilience: { callsPerMinute: 0 },
    }),
    apiDoor: true,
    access: { apiKeys: isKnown ? [{ name: 'suite', sha256: hashApiKey(token), scopes: SCOPES }] : [] },
  });
}
