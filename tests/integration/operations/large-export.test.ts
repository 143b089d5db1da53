import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { readForm } from '../../support/read-form.js';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { closeServer, listen } from '../../support/start-service.js';

const ROW = JSON.stringify({ record_id: 'COHORT-2026-PARTICIPANT-0001', note: 'x'.repeat(900) });
const PIECE = Buffer.from(`${ROW},`.repeat(1000));
const PIECES = 250;
/** The complete export as the service returns it: `{"data":[…]}`. */
const BYTES = PIECE.length * PIECES + ROW.length + '{"data":[]}'.length;

/** A quarter of a gigabyte in one answer. */
function* largeExport(): Generator<Buffer | string> {
  yield '[';
  for (let piece = 0; piece < PIECES; piece += 1) yield PIECE;
  yield `${ROW}]`;
}

const describeOnLinux = existsSync('/proc/self/status') ? describe : describe.skip;

describeOnLinux('STR-03: an export of a quarter of a gigabyte to a slow reader', function () {
  this.timeout(120_000);
  let upstream: http.Server;
  let server: ServerProcess;

  before(async () => {
    upstream = http.createServer((request, response) => void answer(request, response));
    const url = await listen(upstream);
    server = await runServer({ CAPTURE_API_URL: `${url}/api/`, CAPTURE_API_TOKEN: 'A'.repeat(32) });
  });
  after(async () => {
    server.kill('SIGKILL');
    await server.exited;
    await closeServer(upstream);
  });

  it('needs less than 64 MB of memory', async () => {
    const before = residentMb();
    const request = http.get(`${server.url}/api/v1/records`);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    let bytes = 0;
    let most = 0;
    for await (const chunk of response) {
      const isPaused = Math.floor(bytes / 50e6) < Math.floor((bytes + (chunk as Buffer).length) / 50e6);
      bytes += (chunk as Buffer).length;
      if (!isPaused) continue;
      await sleep(300); // By now, everything that the server may read ahead has arrived.
      most = Math.max(most, residentMb());
    }

    expect(bytes).to.equal(BYTES);
    expect(most - before, 'megabytes more than before').to.be.below(64);
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const form = readForm(await readText(request), request.headers['content-type']);
    // The server requests the version when it starts.
    if (form.get('content') !== 'record') return void response.end('16.1.9');
    // The reader may leave before the end.
    await pipeline(Readable.from(largeExport()), response).catch(() => undefined);
  }

  function residentMb(): number {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }
});
