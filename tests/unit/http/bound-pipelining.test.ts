import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { boundPipelining } from '../../../src/http/bound-pipelining.js';

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
