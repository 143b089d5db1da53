import { expect } from 'chai';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { startWholeService } from '../../support/start-whole-service.js';
import type { RunningServer } from '../../../src/server/start-server.js';

describe('The mailbox of the sandbox, over HTTP', () => {
  let service: RunningServer;
  beforeEach(async () => {
    service = await startWholeService();
  });
  afterEach(() => service.stop());

  async function askForLink(): Promise<void> {
    await fetch(`${service.url}/api/v1/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada.lovelace@example.org' }),
    });
  }

  /** Reads the stream until it contains a text. */
  async function until(stream: IncomingMessage, text: string): Promise<void> {
    let read = '';
    while (!read.includes(text)) read += String((await once(stream, 'data'))[0]);
  }

  async function openEvents(): Promise<IncomingMessage> {
    const [stream] = (await once(get(`${service.url}/sandbox/mailbox/events`), 'response')) as [
      IncomingMessage,
    ];
    await until(stream, 'retry:');
    return stream;
  }

  it('notifies every watcher of a new mail, without its content', async () => {
    const streams = [await openEvents(), await openEvents()];
    const notified = streams.map((stream) => until(stream, 'event: mail\ndata:\n\n'));

    await askForLink();
    await Promise.all(notified);

    expect(streams[0]?.headers).to.include({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    for (const stream of streams) stream.destroy();
  });

  it('ends its streams when the service stops', async () => {
    const stream = await openEvents();
    const ended = once(stream, 'end');
    stream.resume();

    await service.stop();

    await ended;
    service = await startWholeService();
  });

  it('is JSON for a program that requests it, and a page otherwise', async () => {
    await askForLink();
    const [json, page] = await Promise.all([
      fetch(`${service.url}/sandbox/mailbox`, { headers: { accept: 'application/json' } }),
      fetch(`${service.url}/sandbox/mailbox`),
    ]);

    const { data } = (await json.json()) as { data: { to: string }[] };
    expect(data.map(({ to }) => to)).to.deep.equal(['ada.lovelace@example.org']);
    expect(Object.fromEntries(page.headers)).to.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(page.headers.get('content-security-policy')).to.match(/; script-src 'self';/);
  });

  for (const path of ['/sandbox/mailbox', '/sandbox/mailbox/events']) {
    it(`is read-only: ${path} refuses other methods`, async () => {
      expect((await fetch(service.url + path, { method: 'HEAD' })).status).to.equal(200);
      expect((await fetch(service.url + path, { method: 'POST' })).status).to.equal(405);
    });
  }
});
