import { once } from 'node:events';
import http from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startFaultServer, type FaultScript, type FaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

/** A message in parts, because the script is its own file name, which may appear in a log. */
const SENTINEL = "'SENTI' + 'NEL'";

/** Runs in the server process before the server: a signal triggers a fault outside any request. */
function onSignal(statement: string): string[] {
  const script = `process.on('SIGUSR2', () => { ${statement} });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

describe('OPS-06: an uncaught fault', function () {
  this.timeout(30_000);

  for (const [description, statement] of [
    ['a promise that is rejected', `Promise.reject(new TypeError(${SENTINEL}))`],
    ['a promise that is rejected with no error', 'Promise.reject(undefined)'],
    ['an exception', `throw new TypeError(${SENTINEL})`],
    ['an error of a stream', `process.stdin.destroy(new Error(${SENTINEL}))`],
  ] as const) {
    it(`${description} is logged, and ends the process with exit code 1`, async () => {
      const server = await runServer({}, onSignal(statement));

      server.kill('SIGUSR2');

      expect(await server.exited).to.equal(1);
      expect(fatalLinesOf(server)).to.deep.equal(['unexpected fault']);
      expect(JSON.stringify(server.log)).to.not.include('SENTINEL');
    });
  }
});

describe('OPS-06: requests in progress during an uncaught fault', function () {
  this.timeout(30_000);
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let upstream: FaultServer;
  let server: ServerProcess;

  before(async () => {
    sandbox = await startTestSandbox();
  });
  after(() => sandbox.close());
  afterEach(async () => {
    server.kill('SIGKILL');
    await server.exited;
    await upstream.close();
  });

  async function start(script: FaultScript, statement: string, shutdownTimeoutMs: number): Promise<void> {
    upstream = await startFaultServer(script);
    server = await runServer(
      {
        CAPTURE_API_URL: upstream.url,
        CAPTURE_API_TOKEN: sandbox.token,
        SHUTDOWN_TIMEOUT_MS: String(shutdownTimeoutMs),
      },
      onSignal(statement),
    );
  }

  for (const [description, statement] of [
    ['an exception', "throw new TypeError('on purpose')"],
    ['a rejection', "Promise.reject(new TypeError('on purpose'))"],
  ] as const) {
    it(`${description} lets an export complete, and the exit code is 1`, async () => {
      let release: () => void = () => undefined;
      let rows = 0;
      const until = new Promise<void>((resolve) => (release = resolve));
      const holdExports: FaultScript = async (request) => {
        const answer = await forward(sandbox.url, request);
        if (request.form.get('content') !== 'record') return answer;
        rows = (JSON.parse(String(answer.body)) as unknown[]).length;
        return { kind: 'hold', body: answer.body, fraction: 0.5, until };
      };
      await start(holdExports, statement, 600_000); // Longer than a test may take, so a test that waits for it fails.
      const slow = await open('/api/v1/records?fields=record_id,age');
      const text = readText(slow);

      server.kill('SIGUSR2');
      await untilFatal(1);
      server.kill('SIGUSR2'); // A second fault makes no difference.
      await untilFatal(2);
      expect(slow.complete, 'whether the export ended before the faults').to.be.false;
      release();

      expect(JSON.parse(await text))
        .to.have.property('data')
        .with.length(rows);
      expect(await server.exited).to.equal(1);
    });

    it(`${description} answers requests that are unanswered at the deadline with 500`, async () => {
      const hangAtExports: FaultScript = async (request) =>
        request.form.get('content') === 'record'
          ? { kind: 'hang', at: 'head' }
          : await forward(sandbox.url, request);
      await start(hangAtExports, statement, 300);
      const asked = open('/api/v1/records?fields=record_id');
      while (!upstream.requests.some(({ form }) => form.get('content') === 'record')) await sleep(10);

      server.kill('SIGUSR2');
      const answer = await asked;

      expect(answer.statusCode).to.equal(500);
      expect(answer.headers).to.include({ connection: 'close', 'x-request-id': 'mine' });
      expect(JSON.parse(await readText(answer))).to.include({ code: 'internal_error', instance: 'mine' });
      expect(await server.exited).to.equal(1);
    });
  }

  it('a fault while the server stops makes its exit code 1', async () => {
    const hangAtExports: FaultScript = async (request) =>
      request.form.get('content') === 'record'
        ? { kind: 'hang', at: 'head' }
        : await forward(sandbox.url, request);
    await start(hangAtExports, "throw new TypeError('on purpose')", 1_000);
    void open('/api/v1/records?fields=record_id').catch(() => undefined);
    while (!upstream.requests.some(({ form }) => form.get('content') === 'record')) await sleep(10);

    server.kill('SIGTERM');
    server.kill('SIGUSR2');

    expect(await server.exited).to.equal(1);
  });

  /** Sends a request over a keep-alive connection, and returns the start of the answer. */
  async function open(path: string): Promise<http.IncomingMessage> {
    const headers = { 'x-request-id': 'mine' };
    const request = http.get(server.url + path, { headers, agent: new http.Agent({ keepAlive: true }) });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return response;
  }

  async function untilFatal(count: number): Promise<void> {
    while (fatalLinesOf(server).length < count) await sleep(10);
  }
});

function fatalLinesOf({ log }: ServerProcess): (string | undefined)[] {
  return log.filter(({ level }) => level === 'fatal').map(({ msg }) => msg);
}
