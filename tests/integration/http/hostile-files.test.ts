import { parse } from 'content-disposition';
import { expect } from 'chai';
import fc from 'fast-check';
import { once } from 'node:events';
import http from 'node:http';
import { Readable } from 'node:stream';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { bareFileName, diskFileName } from '../../../src/services/files/file-name.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { closeServer, listen, startService, type TestService } from '../../support/start-service.js';
import { armsStudy } from '../../support/studies.js';

const PATH = '/api/v1/records/1/files/consent?event=start_arm_1';

describe('Malicious files', () => {
  let sandbox: RedcapSandbox & { readonly token: string };
  let service: TestService;

  before(async () => {
    sandbox = await startTestSandbox(armsStudy());
    service = await startService({
      capture: createCrfClient({ url: sandbox.url, token: sandbox.token }),
    });
  });
  after(async () => {
    await service.close();
    await sandbox.close();
  });

  const headersOf = async (): Promise<Headers> => {
    const answer = await fetch(service.url + PATH, { headers: { authorization: service.authorization } });
    await answer.arrayBuffer();
    expect(answer.status).to.equal(200);
    return answer.headers;
  };
  const plant = (name: string, type = 'text/plain'): void => {
    const place = { record: '1', event: 'start_arm_1', instrument: '', instance: 0, field: 'consent' };
    sandbox.project.documents.put(place, { name, type, bytes: Buffer.from('<script>alert(1)</script>') });
  };

  for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'application/javascript']) {
    it(`FILE-04: are attachments that no browser runs, as ${type}`, async () => {
      plant('page.html', type);

      const headers = await headersOf();

      expect(headers.get('content-disposition')).to.match(/^attachment;/);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-security-policy')).to.match(/^default-src 'none';.*; sandbox$/);
      expect(headers.get('cache-control')).to.equal('no-store');
    });
  }

  it('FILE-04: have a generic type if theirs is not a media type', async () => {
    plant('a', 'nonsense');

    expect((await headersOf()).get('content-type')).to.equal('application/octet-stream');
  });

  it('FILE-03: add no header and name no folder, whatever their name', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 40 }),
          fc.constantFrom(
            'a\r\nSet-Cookie: x=1',
            'a"; filename=evil.exe',
            "a'*=UTF-8''evil",
            '..\\..\\evil',
            '\u202Egpj.exe',
            'a\u0000.html',
            '../../../etc/passwd',
            '%2e%2e%2fevil',
            '.',
            '..',
          ),
        ),
        async (name) => {
          plant(name);

          const headers = await headersOf();

          const { type, parameters } = parse(headers.get('content-disposition') ?? '');
          expect(type).to.equal('attachment');
          expect(['filename', 'filename*']).to.include.members(Object.keys(parameters));
          expect(parameters.filename).to.match(/^[^/\\\p{Cc}\p{Cf}]+$/u);
          expect(headers.has('set-cookie')).to.equal(false);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('FILE-03: have a name on disk that stays in its folder, whatever their name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const saved = diskFileName(name, 'fallback');

        expect(saved).to.match(/^[^./\\<>:"|?*\p{Cc}\p{Cf}][^/\\<>:"|?*\p{Cc}\p{Cf}]*$/u);
        expect(saved).to.not.match(/[.\s]$|^(con|nul|com1)(\.|$)/i);
        expect(Buffer.byteLength(saved)).to.be.at.most(255 - '.part'.length);
      }),
    );
  });

  it('FILE-03: keep a harmless name', () => {
    for (const name of ['consent.pdf', 'Étude n° 5 (signée).pdf', '同意書.pdf', "it's.txt"]) {
      expect(bareFileName(name, 'x')).to.equal(name);
      expect(diskFileName(name, 'x')).to.equal(name);
    }
  });
});

/** More than all buffers on the way hold, and far less than a whole file. */
const BOUND = 32 * 1024 * 1024;

/** Resolves when a number has stopped growing, however often the event loop turns. */
async function untilStill(value: () => number): Promise<number> {
  let before = -1;
  for (let still = 0; still < 200; still = value() === before ? still + 1 : 0) {
    before = value();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return before;
}

describe('FILE-01: An upload to a REDCap that does not read', () => {
  it('is read no further than the buffers on the way', async () => {
    const upstream = http.createServer((request) => void request.pause());
    const client = createCrfClient({ url: `${await listen(upstream)}/api/`, token: 'A'.repeat(32) });
    const controller = new AbortController();
    let read = 0;
    function* endless(): Generator<Buffer> {
      for (; read < 2 * BOUND; read += 64 * 1024) yield Buffer.alloc(64 * 1024);
    }

    const upload = client.files
      .put({ record: '1', field: 'consent' }, { name: 'a', bytes: endless() }, { signal: controller.signal })
      .catch((error: unknown) => error);
    await untilStill(() => read);
    controller.abort();

    expect(await upload).to.have.property('code', 'cancelled');
    expect(read).to.be.lessThan(BOUND);
    client.close();
    await closeServer(upstream);
  });

  it('is read no further by the service either', async () => {
    const upstream = http.createServer((request) => void request.pause());
    const client = createCrfClient({ url: `${await listen(upstream)}/api/`, token: 'A'.repeat(32) });
    const service = await startService({ capture: client });
    let read = 0;
    const upload = http
      .request(service.url + PATH, {
        method: 'PUT',
        headers: {
          authorization: service.authorization,
          'content-disposition': 'attachment; filename="a.bin"',
          'content-length': 2 * BOUND,
        },
      })
      .on('error', () => undefined);
    Readable.from(
      (function* () {
        for (; read < 2 * BOUND; read += 64 * 1024) yield Buffer.alloc(64 * 1024);
      })(),
    ).pipe(upload);

    try {
      await once(upload, 'drain');
      expect(await untilStill(() => read))
        .to.be.greaterThan(0)
        .and.lessThan(BOUND);
    } finally {
      upload.destroy();
      await service.close();
      await closeServer(upstream);
    }
  });
});

describe('FILE-01: A download by a client that does not read', () => {
  it('is read from REDCap no further than the buffers on the way', async () => {
    let sent = 0;
    const upstream = http.createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/octet-stream; name="a.bin"' });
      Readable.from(
        (function* () {
          for (; sent < 2 * BOUND; sent += 64 * 1024) yield Buffer.alloc(64 * 1024);
        })(),
      ).pipe(response);
    });
    const client = createCrfClient({ url: `${await listen(upstream)}/api/`, token: 'A'.repeat(32) });
    const service = await startService({ capture: client });
    const download = http.get(service.url + PATH, {
      headers: { authorization: service.authorization },
    });
    try {
      const [answer] = (await once(download, 'response')) as [http.IncomingMessage];
      answer.pause().on('error', () => undefined);

      expect(answer.statusCode).to.equal(200);
      expect(await untilStill(() => sent))
        .to.be.greaterThan(0)
        .and.lessThan(BOUND);
    } finally {
      download.destroy();
      await service.close();
      await closeServer(upstream);
    }
  });
});
