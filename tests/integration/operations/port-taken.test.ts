import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.js';
import { rejection } from '../../support/rejection.js';
import { closeServer, listen } from '../../support/start-service.js';
import { startWholeService } from '../../support/start-whole-service.js';

describe('OPS-05: a service whose port is taken', () => {
  let taken: Server;
  let port: string;
  before(async () => {
    taken = createServer();
    port = new URL(await listen(taken)).port;
  });
  after(() => closeServer(taken));

  it('does not start, and names PORT', async () => {
    const error = await rejection(startWholeService({ PORT: port }));

    expect(error).to.have.property('code', 'invalid_configuration');
    expect(error.message).to.match(/\bPORT is taken/);
  });

  it('does not start, names ADMIN_PORT, and does not listen', async () => {
    const free = await freePort();

    const error = await rejection(startWholeService({ PORT: String(free), ADMIN_PORT: port }));

    expect(error.message).to.match(/\bADMIN_PORT is taken/);
    const other = createServer().listen(free, '127.0.0.1');
    await once(other, 'listening');
    await closeServer(other);
  });
});
