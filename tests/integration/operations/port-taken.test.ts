import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.js';
import { startWholeService } from '../../support/start-whole-service.js';

describe('OPS-05: a service whose port is taken', () => {
  let taken: Server;
  let port: string;
  before(async () => {
    taken = await listenOn(0);
    port = portOf(taken);
  });
  after(() => close(taken));

  it('does not start, and names PORT', async () => {
    const error = await rejection(startWholeService({ PORT: port }));

    expect(error).to.have.property('code', 'invalid_configuration');
    expect(error.message).to.match(/\bPORT is taken/);
  });

  it('does not start, names ADMIN_PORT, and does not listen', async () => {
    const free = await freePort();

    const error = await rejection(startWholeService({ PORT: free, ADMIN_PORT: port }));

    expect(error.message).to.match(/\bADMIN_PORT is taken/);
    await close(await listenOn(Number(free)));
  });
});

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}

function portOf(server: Server): string {
  return String((server.address() as AddressInfo).port);
}

async function freePort(): Promise<string> {
  const server = await listenOn(0);
  const port = portOf(server);
  await close(server);
  return port;
}
