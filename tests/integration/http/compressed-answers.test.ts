import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { startFaultServer, type Fault, type FaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startService, type TestService } from '../../support/start-service.js';

const NDJSON = 'application/x-ndjson';

describe('An answer to a caller that accepts gzip', () => {
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let upstream: FaultServer;
  let service: TestService;
  let spoil: (body: Buffer) => Fault;

  before(async () => {
    sandbox = await startTestSandbox();
    upstream = await startFaultServer(async (request) => {
      const answer = await forward(sandbox.url, request);
      return request.form.get('content') === 'record' ? spoil(answer.body) : answer;
    });
    const capture = createCrfClient({ url: upstream.url, token: sandbox.token });
    service = await startService({ capture, docs: true });
  });
  beforeEach(() => (spoil = (body) => ({ kind: 'answer', body })));
  after(async () => {
    await service.close();
    await Promise.all([upstream.close(), sandbox.close()]);
  });

  /** Not `fetch`, which decompresses. */
  async function get(path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET') {
    const request = http.request(service.url + path, {
      method,
      headers: { authorization: service.authorization, 'accept-encoding': 'gzip', ...headers },
    });
    request.on('error', () => undefined).end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return { request, response, headers: response.headers };
  }

  for (const [path, accept] of [
    ['/api/v1/records', 'application/json'],
    ['/api/v1/records', NDJSON],
    ['/api/v1/records', 'text/csv'],
    ['/api/v1/project/fields', 'application/json'],
  ] as const) {
    it(`has the same bytes as without, from ${path} as ${accept}`, async () => {
      const plain = await get(path, { accept, 'accept-encoding': 'identity' });
      const zipped = await get(path, { accept });
      const brotli = await get(path, { accept, 'accept-encoding': 'br' });
      const bytes = await buffer(plain.response);

      expect(plain.headers).to.not.have.property('content-encoding');
      expect(zipped.headers)
        .to.include({ 'content-encoding': 'gzip' })
        .and.not.have.property('content-length');
      for (const { headers } of [plain, zipped]) expect(headers.vary).to.include('Accept-Encoding');
      const sent = await buffer(zipped.response);
      expect(sent.length).to.be.below(bytes.length / 2);
      expect(gunzipSync(sent).equals(bytes)).to.equal(true);
      expect(brotliDecompressSync(await buffer(brotli.response)).equals(bytes)).to.equal(true);
    });
  }

  it('is not compressed if it is small, a page, or outside of the data', async () => {
    for (const path of [
      '/api/v1/project/version',
      '/docs',
      '/openapi.json',
      '/api/v1/auth/session',
      '/login',
    ]) {
      const { response, headers } = await get(path);
      await buffer(response);
      expect(headers, path).to.not.have.property('content-encoding');
    }
  });

  it('has the ETag of the uncompressed one, and is 304 with the same Vary', async () => {
    const path = '/api/v1/project/fields';
    const plain = await get(path, { 'accept-encoding': 'identity' });
    const zipped = await get(path);
    const again = await get(path, { 'if-none-match': zipped.headers.etag });
    await Promise.all([plain, zipped].map(({ response }) => buffer(response)));

    expect(zipped.headers.etag).to.match(/^"/).and.equal(plain.headers.etag);
    expect([again.response.statusCode, (await buffer(again.response)).length]).to.deep.equal([304, 0]);
    expect(again.headers).to.not.have.property('content-encoding');
    expect(again.headers.vary).to.equal(zipped.headers.vary);
  });

  it('has no body for HEAD', async () => {
    const { response } = await get('/api/v1/records', {}, 'HEAD');

    expect([response.statusCode, (await buffer(response)).length]).to.deep.equal([200, 0]);
  });

  it('STR-01: breaks off where the export does, without an end of gzip', async () => {
    for (let time = 0; time < 20; time += 1) {
      spoil = (body) => ({ kind: 'cut', body, fraction: 0.5 });
      // Also before its first byte, because the compression had not yet returned one.
      const begun = await get('/api/v1/records', { accept: NDJSON }).catch(() => undefined);
      if (begun === undefined) continue;
      const pieces: Buffer[] = [];
      begun.response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => undefined);
      await new Promise((resolve) => begun.response.once('close', resolve));

      expect(begun.response.complete).to.equal(false);
      expect(() => gunzipSync(Buffer.concat(pieces))).to.throw('unexpected end of file');
    }
  });

  it('brings rows before the export ends', async () => {
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    spoil = (body) => ({ kind: 'hold', body, fraction: 0.5, until });
    const { response } = await get('/api/v1/records', { accept: NDJSON });
    const rows = response.pipe(createGunzip());
    const [first] = (await once(rows, 'data')) as [Buffer];

    expect(first.toString()).to.match(/^\{"record_id":/);
    release();
    await buffer(rows);
    expect(response.complete).to.equal(true);
  });

  it('STR-04: ends the call to REDCap when its client leaves', async () => {
    spoil = (body) => ({ kind: 'hang', at: 'body', body, fraction: 0.5 });
    const { request, response } = await get('/api/v1/records', { accept: NDJSON });
    response.on('error', () => undefined);
    const closed = upstream.nextClose();

    request.destroy();

    await closed;
  });
});
