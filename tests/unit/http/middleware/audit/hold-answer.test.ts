import { expect } from 'chai';
import { ProblemError } from '../../../../../src/domain/errors/problem-error.js';
import { once } from 'node:events';
import express, { type Response } from 'express';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createHttpServer } from '../../../../../src/http/http-server.js';
import { holdAnswer, type AnswerEnd } from '../../../../../src/http/middleware/audit/hold-answer.js';
import { closeServer, listen } from '../../../../support/start-service.js';
import { settled } from '../../../../support/manual-clock.js';

/** Runs a route for a client that can disconnect. @returns the confirmed ends */
async function run(route: (response: Response, client: Socket) => Promise<void>): Promise<AnswerEnd[]> {
  const ends: AnswerEnd[] = [];
  const app = express();
  const done = new Promise<void>((resolve, reject) => {
    app.get('/', (_request, response) => {
      const confirm = (end: AnswerEnd): Promise<void> => Promise.resolve(void ends.push(end));
      holdAnswer(response, confirm, () => new ProblemError('internal_error'));
      route(response, client).then(resolve, reject);
    });
  });
  const server = createHttpServer(app);
  await listen(server);
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  try {
    await done;
    await settled();
  } finally {
    client.destroy();
    await closeServer(server);
  }
  return ends;
}

async function disconnect(response: Response, client: Socket): Promise<void> {
  const closed = once(response, 'close');
  client.destroy();
  await closed;
}

describe('holdAnswer', () => {
  it('LOG-04: confirms a response once, as whole', async () => {
    const ends = await run(async (response) => {
      response.end('whole');
      await once(response, 'close');
    });

    expect(ends).to.deep.equal(['whole']);
  });

  it('LOG-04: confirms a response once, as aborted, when its client disconnects before it begins', async () => {
    const ends = await run(async (response, client) => {
      await disconnect(response, client);
      await settled();
      response.end('too late');
    });

    expect(ends).to.deep.equal(['aborted']);
  });

  it('LOG-04: waits until the route of a disconnected client has finished', async () => {
    const ends = await run(async (response, client) => {
      await disconnect(response, client);
    });

    expect(ends).to.deep.equal([]);
  });

  it('LOG-04: confirms a response once, as aborted, when its client disconnects while it is sent', async () => {
    const ends = await run(async (response, client) => {
      response.write('begun');
      await disconnect(response, client);
      response.end('too late');
    });

    expect(ends).to.deep.equal(['aborted']);
  });
});
