import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { readForm } from '../../support/read-form.js';
import { bareClient } from '../../support/fault-client.js';

describe('An import to a server that is slow to read', () => {
  it('arrives unchanged, although its buffers are reused', async () => {
    const received: string[] = [];
    const server = http.createServer((request, response) => {
      void (async () => {
        // Larger than the buffers of both sockets.
        await pause(100);
        received.push(readForm(await text(request), request.headers['content-type']).get('data') ?? '');
        response.setHeader('Content-Type', 'application/json').end('{"count":1}');
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = bareClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`, {
      timeouts: { firstByteMs: 15_000 },
    });
    const sent = Array.from({ length: 4 }, (_, at) => numbersFrom(at * 1e6));

    await Promise.all(sent.map((data) => client.importData(data, { format: 'json' })));

    expect(received.sort().map((data) => data.length)).to.deep.equal(sent.map((data) => data.length));
    expect(received.every((data, at) => data === sent[at])).to.equal(true);
    client.close();
    server.close();
  });
});

/** About 2 MB in which no two parts are alike. */
function numbersFrom(first: number): string {
  return JSON.stringify(Array.from({ length: 200_000 }, (_, at) => 1e7 + first + at));
}
