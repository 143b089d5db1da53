import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { startCrf } from '../../support/run-crf.js';
import { closeServer, listen } from '../../support/start-service.js';
import { FakeProject, recordsOf } from '../../support/fake-project.js';
import { METADATA } from '../../support/import-faults.js';

const NOTE = { note: 'x'.repeat(50_000) };
/** Far more than all pipes and buffers on the way hold. */
const LARGE = recordsOf(600, NOTE);
/** REDCap has sent everything, although the pipe cannot take it. */
const MEDIUM = LARGE.slice(0, 8);

/** Only the signal ends the process; otherwise the test fails at its time limit. */
const UNLIMITED = { CAPTURE_FIRST_BYTE_TIMEOUT_MS: '600000', CAPTURE_IDLE_TIMEOUT_MS: '600000' };

/** A REDCap that notices when its bytes are no longer read. */
class PatientRedcap {
  readonly server: Server;
  rows = LARGE;
  #lastBusy = performance.now();

  constructor() {
    this.server = createServer((request, response) => {
      this.#lastBusy = performance.now();
      void readText(request).then((body) => this.#answer(new URLSearchParams(body), response));
    });
  }

  #answer(form: URLSearchParams, response: ServerResponse): void {
    response.setHeader('content-type', 'application/json');
    if (form.get('content') === 'metadata') return void response.end(METADATA);
    const records = [...form].filter(([name]) => name.startsWith('records[')).map(([, value]) => value);
    const body = new FakeProject(this.rows).answerTo({
      format: form.get('format') === 'csv' ? 'csv' : 'json',
      ...(records.length > 0 && { records }),
      ...(form.has('fields[0]') && { fields: ['record_id'] }),
    });
    this.#send(response, body, 0);
  }

  #send(response: ServerResponse, body: Buffer, from: number): void {
    this.#lastBusy = performance.now();
    const to = from + 256 * 1024;
    if (to >= body.length) return void response.end(body.subarray(from));
    if (response.write(body.subarray(from, to))) setImmediate(() => this.#send(response, body, to));
    else response.once('drain', () => this.#send(response, body, to));
  }

  /** Resolves when nothing has been requested or read for half a second. */
  async standsStill(): Promise<void> {
    while (performance.now() - this.#lastBusy < 500) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('crf export whose reader stops reading', function () {
  this.timeout(60_000);
  let redcap: PatientRedcap;
  let environment: Record<string, string>;

  before(async () => {
    redcap = new PatientRedcap();
    const url = await listen(redcap.server);
    environment = { CAPTURE_API_URL: `${url}/api/`, CAPTURE_API_TOKEN: 'A'.repeat(32), ...UNLIMITED };
  });
  after(() => closeServer(redcap.server));

  /** Starts an export, lets it stall, and interrupts it. */
  async function interrupted(args: readonly string[], signal: NodeJS.Signals, begun?: Promise<unknown>) {
    const child = startCrf(['export', ...args], environment);
    const closed = once(child, 'close');
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    // Detects data to read without reading it.
    await (begun ?? once(child.stdout, 'readable'));
    await redcap.standsStill();
    child.kill(signal);
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    child.stdout.destroy();
    await closed;
    return { exitCode, stderr };
  }

  for (const [what, rows, args] of [
    ['JSON', LARGE, ['--format', 'json']],
    ['NDJSON', LARGE, ['--format', 'ndjson']],
    ['CSV', LARGE, ['--format', 'csv']],
    ['batches', LARGE, ['--format', 'ndjson', '--batch-size', '100']],
    ['an export that waits in the pipe alone', MEDIUM, ['--format', 'ndjson']],
  ] as const) {
    it(`CLI-01: exits 130 when interrupted (${what})`, async () => {
      redcap.rows = [...rows];
      const { exitCode, stderr } = await interrupted(args, 'SIGINT');

      expect(exitCode, stderr).to.equal(130);
      expect(stderr).to.equal('Interrupted.\nThe standard output is incomplete.\n');
    });
  }

  it('CLI-01: ends on SIGTERM', async () => {
    redcap.rows = LARGE;
    const { exitCode } = await interrupted([], 'SIGTERM');

    expect(exitCode).to.equal(130);
  });

  it('CLI-01: can be interrupted when it writes to a named pipe', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crf-pipe-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);

    redcap.rows = LARGE;
    const asked = once(redcap.server, 'request');
    const { exitCode, stderr } = await interrupted(['-o', pipe], 'SIGINT', asked);

    closeSync(reader);
    rmSync(folder, { recursive: true });
    expect(exitCode, stderr).to.equal(130);
    expect(stderr).to.equal(`Interrupted.\nWhat was written to ${pipe} is not whole.\n`);
  });
});
