import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startFaultServer, type FaultScript, type FaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { rejection } from '../../support/rejection.js';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startLoad } from './steady-load.js';

describe('OPS-02: the server on SIGTERM', function () {
  this.timeout(60_000);
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

  async function start(environment: Record<string, string>, script: FaultScript = passOn): Promise<void> {
    upstream = await startFaultServer(script);
    server = await runServer({
      CAPTURE_API_URL: upstream.url,
      CAPTURE_API_TOKEN: sandbox.token,
      CAPTURE_CALLS_PER_MINUTE: '0',
      SHUTDOWN_TIMEOUT_MS: '600000', // Longer than a test may take, so a test that waits for it fails.
      ...environment,
    });
  }

  const passOn: FaultScript = (request) => forward(sandbox.url, request);

  it('fails no request, completes a running export, and exits 0', async () => {
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    await start({ DRAIN_DELAY_MS: '6000' }, async (request) => {
      const answer = await forward(sandbox.url, request);
      const isExport = request.form.get('content') === 'record';
      return isExport ? { kind: 'hold', body: answer.body, fraction: 0.5, until } : answer;
    });
    const load = startLoad(server.url, ['/health', '/api/v1/project/version', '/api/v1/project/info'], 10);
    const slow = await open('/api/v1/records?fields=record_id,age');
    const slowText = readText(slow);
    while (load.answers.length < 100) await sleep(10);

    server.kill('SIGTERM');
    await untilNotReady();
    const notReadyAt = performance.now();
    const late = () => load.answers.filter(({ sentAt }) => sentAt >= notReadyAt);
    while (late().length < 10) await sleep(10);
    await load.stop();

    expect(load.answers.filter(({ outcome }) => outcome !== 200)).to.deep.equal([]);
    expect(new Set(late().map(({ connection }) => connection))).to.deep.equal(new Set(['close']));

    await untilRefused();
    expect(slow.complete, 'whether the export ended before the drain').to.be.false;
    release();
    expect(JSON.parse(await slowText))
      .to.have.property('data')
      .with.length(30);
    expect(await server.exited, 'and not only when the shutdown takes too long').to.equal(0);
  });

  it('does not wait for idle connections', async () => {
    await start({});
    const kept = await open('/health');
    const keptClosed = once(kept.socket, 'close');
    await readText(kept);
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(silent, 'connect');
    await readText(await open('/health')); // By now the silent connection is accepted too.
    const closed = Promise.all([once(silent.resume(), 'close'), keptClosed]);

    server.kill('SIGTERM');

    await closed;
    expect(await server.exited).to.equal(0);
  });

  it('closes what is not finished in time, so that its client sees an error, and exits 0', async () => {
    await start({ SHUTDOWN_TIMEOUT_MS: '300' }, async (request) => {
      const answer = await forward(sandbox.url, request);
      if (request.form.get('content') !== 'record') return answer;
      if (request.form.get('format') === 'csv') return { kind: 'hang', at: 'head' };
      return { kind: 'hang', at: 'body', body: answer.body, fraction: 0.9 };
    });
    const unanswered = rejection(open('/api/v1/records?fields=record_id', { accept: 'text/csv' }));
    const endless = await open('/api/v1/records?fields=record_id,age');
    const begun = rejection(readText(endless));

    server.kill('SIGTERM');

    expect(await unanswered).to.have.property('code', 'ECONNRESET');
    expect(await begun).to.have.property('code', 'ECONNRESET');
    expect(await server.exited).to.equal(0);
  });

  it('exits immediately on a second SIGTERM', async () => {
    await start({ DRAIN_DELAY_MS: '600000' });
    server.kill('SIGTERM');
    await untilNotReady();

    server.kill('SIGINT');

    expect(await server.exited).to.equal(1);
  });

  /** Sends a request over a keep-alive connection, and returns the start of the answer. */
  async function open(path: string, headers: http.OutgoingHttpHeaders = {}): Promise<http.IncomingMessage> {
    const request = http.get(server.url + path, { headers, agent: new http.Agent({ keepAlive: true }) });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return response;
  }

  /** Sends a request as a load balancer does. */
  async function untilNotReady(): Promise<void> {
    while ((await fetch(`${server.url}/health/ready`)).status !== 503) await sleep(10);
  }

  async function untilRefused(): Promise<void> {
    for (;;) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      const isAccepted = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (!isAccepted) return;
      await sleep(50);
    }
  }
});
