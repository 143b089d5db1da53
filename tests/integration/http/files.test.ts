import { expect } from 'chai';
import fc from 'fast-check';
import { once } from 'node:events';
import http from 'node:http';
import { parse } from 'content-disposition';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { rejection } from '../../support/rejection.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';
import { armsStudy } from '../../support/studies.js';

const LIMIT = 100_000;
const PLACE = '/api/v1/records/1/files/consent?event=start_arm_1';

/** Any valid file name: no folder, no quotation mark, nothing invisible. */
const fileName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter(
    (name) =>
      name === name.trim() &&
      name.length <= 255 &&
      /^(?!\.{1,2}$)[^\p{Cc}\p{Cf}\p{Cs}\p{Z}/\\"]+$/u.test(name),
  );

describe('The routes of files', () => {
  let sandbox: RedcapSandbox;
  let client: CrfClient;
  let service: TestService;

  before(async () => {
    const started = await startTestSandbox(armsStudy());
    sandbox = started;
    client = createCrfClient({ url: started.url, token: started.token });
    service = await startService({ capture: client, files: { limitBytes: LIMIT } });
  });
  after(async () => {
    await service.close();
    await sandbox.close();
  });

  const call = (path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<Response> =>
    fetch(service.url + path, {
      ...init,
      headers: { authorization: service.authorization, ...(init.headers as Record<string, string>) },
    });
  const put = (
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
    path = PLACE,
  ): Promise<Response> =>
    call(path, {
      method: 'PUT',
      body,
      duplex: 'half',
      headers: { 'content-disposition': 'attachment; filename="a.txt"', ...headers },
    });
  const codeOf = async (answer: Response): Promise<unknown> =>
    ((await answer.json()) as { code: unknown }).code;

  it('return the uploaded bytes, under any name, up to the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: LIMIT, size: 'max' }),
        fileName,
        fc.boolean(),
        async (bytes, name, isChunked) => {
          const encoded = `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
          const body = isChunked ? new Blob([bytes]).stream() : bytes;
          const stored = await put(body, {
            'content-disposition': encoded,
            'content-type': 'application/pdf',
          });
          expect([stored.status, await stored.json()]).to.deep.equal([200, { data: { count: 1 } }]);

          const answer = await call(PLACE);

          expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
          const { type, parameters } = parse(answer.headers.get('content-disposition') ?? '');
          expect([type, parameters.filename]).to.deep.equal(['attachment', name]);
          expect(answer.headers.get('content-type')).to.equal('application/pdf');
          expect(answer.headers.get('content-length')).to.equal(String(bytes.length));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('refuse an empty file and store nothing, as the client library does, whether its length is known or not', async () => {
    await put('kept');
    const empty = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
    const headers = { 'content-disposition': 'attachment; filename="a.txt"' };
    const document = { method: 'POST', headers, body: '' };

    for (const answer of [await put(''), await put(empty), await call('/api/v1/file-repository', document)])
      expect([answer.status, ((await answer.json()) as { errors: unknown }).errors]).to.deep.equal([
        400,
        [{ field: 'file', message: 'must not be empty' }],
      ]);
    for (const length of [0, undefined]) {
      const file = { name: 'a.txt', bytes: [], ...(length !== undefined && { length }) };
      expect(await rejection(client.fileRepository.put(file))).to.have.property('code', 'invalid_request');
    }
    expect(await (await call(PLACE)).text()).to.equal('kept');
    expect(await client.fileRepository.list()).to.deep.equal([]);
  });

  it('accept a name in the header as curl writes it, in UTF-8', async () => {
    const name = Buffer.from('étude.pdf').toString('latin1');
    await put('x', { 'content-disposition': `attachment; filename="${name}"` });

    const answer = await call(PLACE);

    expect(parse(answer.headers.get('content-disposition') ?? '').parameters).to.include({
      filename: 'étude.pdf',
    });
  });

  it('take the name from the query, without its folders, in a field and in the file repository', async () => {
    const query = `?fileName=${encodeURIComponent('C:\\scans\\étude 1.pdf')}`;
    const stored = await Promise.all([
      call(`${PLACE}&${query.slice(1)}`, { method: 'PUT', body: 'x' }),
      call(`/api/v1/file-repository${query}`, { method: 'POST', body: 'x' }),
    ]);
    const { headers } = await call(PLACE);
    const { data } = (await (await call('/api/v1/file-repository')).json()) as { data: { name: string }[] };

    expect(stored.map(({ status }) => status)).to.deep.equal([200, 201]);
    expect(parse(headers.get('content-disposition') ?? '').parameters).to.include({
      filename: 'étude 1.pdf',
    });
    expect(data.map(({ name }) => name)).to.include('étude 1.pdf');
  });

  it('need a name, in the query or in the header', async () => {
    const answers = await Promise.all([
      call(PLACE, { method: 'PUT', body: 'x' }),
      call(`${PLACE}&fileName=..`, { method: 'PUT', body: 'x' }),
    ]);

    for (const [index, field] of ['Content-Disposition', 'fileName'].entries()) {
      expect(answers[index]?.status).to.equal(400);
      expect(await answers[index]?.json()).to.have.nested.property('errors[0].field', field);
    }
  });

  for (const name of ['.', '..']) {
    it(`are refused with the name ${name}, in a field and in the file repository`, async () => {
      const headers = { 'content-disposition': `attachment; filename="${name}"` };

      const [inField, inRepository] = await Promise.all([
        put('x', headers),
        call('/api/v1/file-repository', { method: 'POST', headers, body: 'x' }),
      ]);

      for (const answer of [inField, inRepository]) {
        expect(answer.status).to.equal(400);
        expect(await answer.json()).to.have.nested.property('errors[0].field', 'Content-Disposition');
      }
    });
  }

  it('serve no ranges, and announce none', async () => {
    await put('0123456789');

    const answer = await call(PLACE, { headers: { range: 'bytes=2-3' } });

    expect([answer.status, await answer.text()]).to.deep.equal([200, '0123456789']);
    expect(answer.headers.has('accept-ranges')).to.equal(false);
    expect(answer.headers.has('content-range')).to.equal(false);
  });

  it('answer HEAD with the headers of GET', async () => {
    await put('0123456789');

    const answer = await call(PLACE, { method: 'HEAD' });

    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-length')).to.equal('10');
    expect(await answer.text()).to.equal('');
  });

  it('delete a file, and answer 404 if there is none', async () => {
    await put('x');

    const deleted = await call(PLACE, { method: 'DELETE' });
    expect([deleted.status, await deleted.json()]).to.deep.equal([200, { data: { count: 1 } }]);

    for (const method of ['GET', 'DELETE']) {
      const answer = await call(PLACE, { method });
      expect([answer.status, await codeOf(answer)]).to.deep.equal([404, 'file_not_found']);
    }
  });

  for (const [how, body] of [
    ['says its length', () => Buffer.alloc(LIMIT + 1)],
    ['comes in chunks', () => new Blob([Buffer.alloc(LIMIT + 1)]).stream()],
  ] as const) {
    it(`FILE-01: refuse a file over the limit that ${how}, and keep the stored one`, async () => {
      await put('old');

      const answer = await put(body());

      expect([answer.status, await codeOf(answer)]).to.deep.equal([413, 'payload_too_large']);
      expect(await (await call(PLACE)).text()).to.equal('old');
    });
  }

  it('FILE-01: keep the stored file when an upload is interrupted', async () => {
    await put('old');
    const { hostname, port } = new URL(service.url);
    const request = http.request({
      hostname,
      port,
      path: PLACE,
      method: 'PUT',
      headers: {
        authorization: service.authorization,
        'content-length': 50_000,
        'content-disposition': 'attachment; filename="new.txt"',
      },
    });
    request.on('error', () => undefined);
    request.write(Buffer.alloc(40_000));
    await once(request, 'socket');
    await call('/health');
    const isOver = new Promise((resolve) => request.once('close', resolve));

    request.destroy();

    await isOver;
    expect(await (await call(PLACE)).text()).to.equal('old');
  });

  for (const [what, headers, status, code] of [
    ['without a name', { 'content-disposition': 'attachment' }, 400, 'invalid_request'],
    [
      'with a name that is a folder',
      { 'content-disposition': 'attachment; filename="../"' },
      400,
      'invalid_request',
    ],
    ['compressed', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['with an invalid media type', { 'content-type': 'a b' }, 400, 'invalid_request'],
  ] as const) {
    it(`refuse an upload ${what}`, async () => {
      const answer = await put('x', headers);

      expect([answer.status, await codeOf(answer)]).to.deep.equal([status, code]);
    });
  }

  it('list the repository, create folders, and upload and download files', async () => {
    const made = await call('/api/v1/file-repository/folders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ethics' }),
    });
    const { data: folder } = (await made.json()) as { data: { id: number } };
    expect(made.status).to.equal(201);
    expect(made.headers.get('location')).to.equal(`/api/v1/file-repository?folder=${folder.id}`);

    const added = await call(`/api/v1/file-repository?folder=${folder.id}`, {
      method: 'POST',
      body: 'protocol',
      headers: { 'content-disposition': 'attachment; filename="p.txt"' },
    });
    const stored = (await added.json()) as { data: { id: number } };
    expect(added.status).to.equal(201);

    const { data } = (await (await call(`/api/v1/file-repository?folder=${folder.id}`)).json()) as {
      data: { id: number }[];
    };
    expect(data).to.have.lengthOf(1);
    expect(data[0]).to.include({ kind: 'file', name: 'p.txt' });
    const path = `/api/v1/file-repository/${data[0]?.id}`;
    expect(stored).to.deep.equal({ data: { id: data[0]?.id, name: 'p.txt' } });
    expect(added.headers.get('location')).to.equal(path);
    expect(await (await call(`/api/v1/file-repository/${data[0]?.id}/info`)).json()).to.deep.equal({
      data: { id: data[0]?.id, name: 'p.txt', contentType: 'text/plain', length: 8 },
    });
    expect(await (await call(path)).text()).to.equal('protocol');

    const deleted = await call(path, { method: 'DELETE' });
    expect([deleted.status, await deleted.json()]).to.deep.equal([200, { data: { count: 1 } }]);
    for (const gone of [path, `${path}/info`]) {
      const answer = await call(gone);
      expect([answer.status, await codeOf(answer)]).to.deep.equal([404, 'file_not_found']);
    }
  });

  for (const path of ['/api/v1/project/instruments/pdf', '/api/v1/records/1/pdf?instrument=enrol']) {
    it(`return ${path} as a PDF document`, async () => {
      const answer = await call(path);
      const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1');

      expect(answer.headers.get('content-type')).to.equal('application/pdf');
      expect(answer.headers.get('content-disposition')).to.match(/^attachment; filename=\S+\.pdf$/);
      expect(bytes.startsWith('%PDF-') && bytes.endsWith('%%EOF\n')).to.equal(true);
      expect(bytes.includes('Ada')).to.equal(path.includes('records'));
    });
  }

  for (const [method, path, scope] of [
    ['GET', PLACE, 'files:write'],
    ['PUT', PLACE, 'files:read'],
    ['DELETE', PLACE, 'files:read'],
    ['GET', '/api/v1/file-repository', 'files:write'],
    ['POST', '/api/v1/file-repository', 'files:read'],
    ['GET', '/api/v1/file-repository/1', 'records:read'],
    ['DELETE', '/api/v1/file-repository/1', 'files:read'],
    ['GET', '/api/v1/records/1/pdf', 'files:read'],
  ] as const) {
    it(`refuse ${method} ${path} to a key with only ${scope}`, async () => {
      const { authorization, apiKey } = keyWith(scope);
      const narrow = await startService({ capture: client, access: { apiKeys: [apiKey] } });

      const answer = await fetch(narrow.url + path, {
        method,
        headers: { authorization, 'content-disposition': 'attachment; filename="a"' },
      });

      expect([answer.status, await codeOf(answer)]).to.deep.equal([403, 'insufficient_scope']);
      narrow.server.closeAllConnections();
      narrow.server.close();
    });
  }
});
