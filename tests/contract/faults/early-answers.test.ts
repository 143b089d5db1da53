import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { bareClient } from '../../support/fault-client.js';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"count":1}';

describe('An answer that arrives before the request was read', () => {
  it("ends the sending, so that later contents of the import's memory are never sent", async () => {
    const connections: Socket[] = [];
    let received = '';
    const server = createServer((socket) => {
      connections.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
      socket.once('data', () => {
        socket.pause();
        socket.write(ANSWER);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = bareClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`);

    const data = Buffer.alloc(32 * 1024 * 1024, 'a');
    const { count } = await client.importData(data, { format: 'json' });
    data.fill('b');
    const [socket] = connections;
    socket?.resume();
    if (socket && !socket.closed) await once(socket, 'close');

    expect(count).to.equal(1);
    expect(received).to.include('aaaa').and.not.to.include('bbbb');
    client.close();
    server.close();
  });
});
