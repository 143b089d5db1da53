import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { closeServer, keyWith, listen, startService, type TestService } from '../../support/start-service.js';

const ROW = JSON.stringify({ record_id: 'COHORT-2026-PARTICIPANT-0001', note: 'x'.repeat(900) });
/** Random, so that it stays large when compressed. */
const PIECE = Buffer.from(
  Array.from({ length: 500 }, () => `${ROW.replace(/x+/, randomBytes(675).toString('base64'))},`).join(''),
);
/** Far more than all buffers on the way hold. */
const PIECES = 200;

function* largeExport(): Generator<Buffer | string> {
  yield '[';
  for (let piece = 0; piece < PIECES; piece += 1) yield PIECE;
  yield `${ROW}]`;
}

describe('Eight slow readers of exports', function () {
  this.timeout(60_000);
  let upstream: http.Server;
  let upstreamUrl: string;
  let openExports: number;

  before(async () => {
    openExports = 0;
    upstream = http.createServer((request, response) => {
      void answer(request, response);
    });
    upstreamUrl = await listen(upstream);
  });
  after(() => closeServer(upstream));

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    if (form.get('content') === 'version') return void response.end('16.1.9');
    if (form.get('fields[0]') === 'age') return void response.end('[{"age":"42"}]');
    openExports += 1;
    response.once('close', () => (openExports -= 1));
    await pipeline(Readable.from(largeExport()), response).catch(() => undefined);
  }

  async function start(limits: { exportMinBytesPerSecond?: number; exportPaceAveragedOverMs?: number }) {
    const keys = [keyWith('records:read'), keyWith('records:read', 'project:read')].map((key, index) => ({
      ...key,
      apiKey: { ...key.apiKey, name: `key-${index}` },
    }));
    const service = await startService({
      capture: createCrfClient({
        url: upstreamUrl,
        token: 'A'.repeat(32),
        resilience: { queueWaitMs: 300, callsPerMinute: 0 },
      }),
      access: { apiKeys: keys.map(({ apiKey }) => apiKey) },
      limits,
    });
    return { service, slow: keys[0]?.authorization ?? '', other: keys[1]?.authorization ?? '' };
  }

  /** Requests an export and reads 400 KB of it, then nothing until `response.resume()`. */
  async function readSlowly(service: TestService, authorization: string, encoding = 'identity') {
    const headers = { authorization, 'accept-encoding': encoding };
    const request = http.get(`${service.url}/api/v1/records`, { headers });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.on('error', () => undefined);
    const ended = new Promise<boolean>((resolve) => response.once('close', () => resolve(response.complete)));
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes >= 400_000) response.off('data', onData).pause();
    };
    response.on('data', onData);
    if (response.statusCode === 200) await once(response, 'pause');
    return { response, ended };
  }

  it('UP-05: occupy only their share of the turns, so that another key can export and readiness is answered', async () => {
    const { service, slow, other } = await start({});
    const readers = await Promise.all(Array.from({ length: 8 }, () => readSlowly(service, slow)));
    const statuses = readers.map(({ response }) => response.statusCode);
    expect(statuses.filter((status) => status === 200)).to.have.length(4);
    expect(statuses.filter((status) => status === 503)).to.have.length(4);

    const get = (path: string) => fetch(service.url + path, { headers: { authorization: other } });
    const answers = await Promise.all(
      ['/health/ready', '/api/v1/project/version', '/api/v1/records?fields=age'].map(get),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(openExports).to.equal(4);

    for (const { response } of readers) response.destroy();
    await service.close();
  });

  for (const encoding of ['identity', 'gzip'])
    it(`UP-05: are disconnected below the minimum rate, which frees REDCap (${encoding})`, async () => {
      const { service, slow } = await start({
        exportMinBytesPerSecond: 1024 * 1024,
        exportPaceAveragedOverMs: 500,
      });
      const { response, ended } = await readSlowly(service, slow, encoding);
      while (openExports > 0) await pause(20);
      response.resume();

      expect(await ended, 'a cut export never ends cleanly').to.equal(false);
      await service.close();
    });

  it('UP-05: receive everything if they keep the pace', async () => {
    const { service, slow } = await start({
      exportMinBytesPerSecond: 1024,
      exportPaceAveragedOverMs: 500,
    });
    const { response } = await readSlowly(service, slow);
    response.resume();
    await once(response, 'end');

    expect(response.complete).to.equal(true);
    await service.close();
  });
});
