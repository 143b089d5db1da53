import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { endBodiesAfterAnswer } from '../../../src/http/body-after-answer.js';
import { ManualClock, settled } from '../../support/manual-clock.js';

describe('OPS-03: endBodiesAfterAnswer', () => {
  let clock: ManualClock;
  let server: Server;
  let socket: Socket;

  beforeEach(async () => {
    clock = new ManualClock();
    server = createServer((_request, response) => response.end('answered'));
    endBodiesAfterAnswer(server, (milliseconds, callback) => clock.schedule(milliseconds, callback));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  afterEach(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });

  for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
    it(`destroys the connection one second after the answer (${framing})`, async () => {
      const closed = once(socket, 'close');
      await send(`POST / HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
      await clock.alarm((inMs) => inMs === 1_000);

      await clock.advance(999);
      expect(socket.destroyed, 'before the second is over').to.be.false;
      await clock.advance(1);

      await closed;
    });
  }

  it('keeps the connection if the body ends within the second', async () => {
    await send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n');
    await clock.alarm((inMs) => inMs === 1_000);

    await send('abcGET / HTTP/1.1\r\nHost: x\r\n\r\n');

    expect(clock.pending, 'the deadline is forgotten').to.deep.equal([]);
  });

  it('keeps the connection if a busy process reads the end of the body only after the second', async () => {
    await send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n');
    await clock.alarm((inMs) => inMs === 1_000);

    await settled(); // As with a real timer, sockets are read before the next `setImmediate`.
    socket.write('abc');
    await clock.advance(1_000); // Fires before the server has read the three bytes.

    await send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  });

  it('sets no deadline if the request was complete before its answer', async () => {
    await send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    await send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');

    expect(clock.pending).to.deep.equal([]);
  });

  /** Sends text, and waits for the answer. */
  async function send(text: string): Promise<void> {
    const answered = once(socket, 'data');
    socket.write(text);
    await answered;
  }
});
