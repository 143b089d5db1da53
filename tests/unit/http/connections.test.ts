import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { boundPipelining, endBodiesAfterAnswer, shareConnections } from '../../../src/http/connections.js';
import { ManualClock, settled } from '../../support/manual-clock.js';

/** The part of a socket that shareConnections uses. */
class FakeSocket extends EventEmitter {
  destroyed = false;

  constructor(readonly remoteAddress: string | undefined) {
    super();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

describe('OPS-03: shareConnections', () => {
  let server: EventEmitter;
  let dropped: unknown[];

  beforeEach(() => {
    server = new EventEmitter();
    dropped = [];
    server.on('drop', (from) => dropped.push(from));
    shareConnections(server as Server, { limit: 2, isProxy: (address) => address === '192.0.2.200' });
  });

  /** @returns for each of these connections, opened one after the other, whether it was accepted */
  function letIn(...addresses: (string | undefined)[]): boolean[] {
    return addresses.map((address) => !connected(address).destroyed);
  }

  function connected(address: string | undefined): FakeSocket {
    const socket = new FakeSocket(address);
    server.emit('connection', socket);
    return socket;
  }

  it('limits each network to its share', () => {
    expect(letIn('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2')).to.deep.equal([
      true,
      true,
      false,
      true,
    ]);
    expect(dropped).to.deep.equal([{ remoteAddress: '192.0.2.1' }]);
  });

  it('counts an IPv6 /64 as one network', () => {
    expect(letIn('2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1')).to.deep.equal([
      true,
      true,
      false,
      true,
    ]);
  });

  it('counts an IPv4-mapped IPv6 address as the IPv4 address', () => {
    expect(letIn('192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.1')).to.deep.equal([true, true, false]);
  });

  it('frees a place once when its connection closes', () => {
    const [first] = [connected('192.0.2.1'), connected('192.0.2.1')];
    connected('192.0.2.1'); // Refused: closing it frees no place.
    first?.destroy();

    expect(letIn('192.0.2.1', '192.0.2.1')).to.deep.equal([true, false]);
  });

  it('does not limit a proxy, or a client that has already left', () => {
    expect(letIn('192.0.2.200', '192.0.2.200', '192.0.2.200')).to.not.include(false);
    expect(letIn(undefined, undefined, undefined)).to.not.include(false);
  });
});

const REQUEST = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';

describe('OPS-03: boundPipelining', () => {
  let server: Server;
  let waiting: ServerResponse[];
  let begun: number;

  beforeEach(async () => {
    [waiting, begun] = [[], 0];
    const listener = boundPipelining((_request, response) => {
      begun += 1;
      waiting.push(response);
    }, 3);
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function sent(requests: string): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(requests);
    return socket;
  }

  it('ends a connection that sends more requests than may be under way, and begins no more of them', async () => {
    const socket = await sent(REQUEST.repeat(3000));

    const answer = await text(socket).catch(() => '');

    expect(answer).to.equal('');
    expect(begun).to.equal(3);
  });

  it('answers as many as may be under way, and any number one after the other', async () => {
    const socket = await sent('');
    let answers = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answers += chunk));
    for (let round = 1; round <= 5; round += 1) {
      socket.write(REQUEST.repeat(3));
      while (answers.split('204').length - 1 < 3 * round) {
        for (const response of waiting.splice(0)) response.writeHead(204).end();
        await new Promise(setImmediate);
      }
    }

    expect(begun).to.equal(15);
    socket.destroy();
  });
});

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
