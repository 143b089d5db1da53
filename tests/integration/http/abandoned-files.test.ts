import { expect } from 'chai';
import { once } from 'node:events';
import express, { type Request } from 'express';
import http from 'node:http';
import { SentCalls } from '../../../src/door/sent-call.js';
import { formFile } from '../../../src/http/form-file.js';
import type { ReaderPaceOptions } from '../../../src/records/streaming/reader-pace.js';
import { ManualClock } from '../../support/manual-clock.js';
import { closeServer, listen } from '../../support/start-service.js';

const READERS: readonly [string, (request: Request, pace: ReaderPaceOptions) => Promise<unknown>][] = [
  ['a route', (request, pace) => formFile(request, { maxFields: 1, pace })],
  ["REDCap's API", (request, pace) => new SentCalls({ fileBytes: 1, pace }).read(request)],
];

describe('A file that is refused before it is read', () => {
  const servers: http.Server[] = [];
  after(() => Promise.all(servers.map(closeServer)));

  for (const [whose, read] of READERS)
    it(`OPS-03: is no longer waited for once it has an answer (${whose})`, async () => {
      const clock = new ManualClock();
      const app = express();
      const closed = new Promise<void>((resolve) => {
        app.post('/', (request, response, next) => {
          response.once('close', resolve);
          read(request, { minBytesPerSecond: 1, clock }).then(() => response.status(413).end(), next);
        });
      });
      const server = http.createServer(app);
      servers.push(server);
      const sender = http.request(await listen(server), {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      });
      sender.on('error', () => undefined); // the service may end the connection
      sender.write('--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nx\r\n');
      sender.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
      sender.write(Buffer.alloc(20 * 1024 * 1024));

      const [response] = (await once(sender, 'response')) as [http.IncomingMessage];
      expect(response.statusCode).to.equal(413);
      sender.destroy();
      await closed;

      expect(clock.pending).to.deep.equal([]);
    });
});
