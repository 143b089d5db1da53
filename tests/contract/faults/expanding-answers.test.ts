import { expect } from 'chai';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { rejection } from '../../support/rejection.js';
import { bareClient } from '../../support/fault-client.js';

/** 200 MiB, in about 200 KB. */
const EXPANDED_BYTES = 200 * 1024 * 1024;

describe('A small compressed answer that expands to hundreds of megabytes', function () {
  this.timeout(60_000);
  const body = gzipSync(Buffer.alloc(EXPANDED_BYTES, ' '));
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
    });
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
  const client = () => bareClient(url(), { timeouts: { firstByteMs: 30_000, idleMs: 30_000 } });

  before((done) => void server.listen(0, '127.0.0.1', done));
  after((done) => {
    server.closeAllConnections();
    server.close(done);
  });

  it('is refused where it is collected, as text and as records', async () => {
    const refused = {
      code: 'upstream_invalid',
      message: 'The answer is too large to be held in memory. Read it as a stream instead.',
    };
    expect(await rejection(client().getVersion())).to.include(refused);
    expect(await rejection(client().exportRecords())).to.include(refused);
  });
});
