import { expect } from 'chai';
import fc from 'fast-check';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'content-disposition';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { createServiceClient } from '../../../src/client/service/create-service-client.js';
import { startMemoryAudit } from '../../support/memory-audit.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { closeServer, startService, type TestService } from '../../support/start-service.js';
import { armsStudy } from '../../support/studies.js';

const LIMIT = 100_000;
const PLACE = '/api/v1/records/1/files/consent?event=start_arm_1';
const HEAD = 'Content-Disposition: form-data; name="file"; filename="new.txt"';

describe('The upload of a file as a form', () => {
  let sandbox: RedcapSandbox;
  let client: CrfClient;
  let service: TestService;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'form-uploads-'));
    const started = await startTestSandbox(armsStudy());
    sandbox = started;
    client = createCrfClient({ url: started.url, token: started.token });
    service = await startService({ capture: client, files: { limitBytes: LIMIT } });
  });
  after(async () => {
    await service.close();
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() =>
    client.files.put(
      { record: '1', field: 'consent', event: 'start_arm_1' },
      { name: 'old.txt', bytes: Buffer.from('old') },
    ),
  );

  const call = (path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<Response> =>
    fetch(service.url + path, {
      ...init,
      headers: { authorization: service.authorization, ...(init.headers as Record<string, string>) },
    });
  const formOf = (bytes: string | Uint8Array<ArrayBuffer>, name = 'new.txt'): FormData => {
    const form = new FormData();
    form.set('file', new Blob([bytes], { type: 'image/png' }), name);
    return form;
  };
  const stored = async () => {
    const answer = await call(PLACE);
    const { filename } = parse(answer.headers.get('content-disposition') ?? '').parameters;
    return {
      name: filename,
      type: answer.headers.get('content-type'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };
  const problemOf = async (answer: Response): Promise<[number, string, string | undefined]> => {
    const { code, errors } = (await answer.json()) as { code: string; errors?: { message: string }[] };
    return [answer.status, code, errors?.[0]?.message];
  };

  it('by curl -F stores bytes, name and media type, in a field and in the file repository', async () => {
    const bytes = Buffer.from('\r\n--\u0000é\r\n', 'latin1');
    const path = join(folder, 'étude 1.png');
    await writeFile(path, bytes);
    const curl = (method: string, to: string) =>
      promisify(execFile)('curl', [
        '-sS',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-X',
        method,
        '-H',
        `Authorization: ${service.authorization}`,
        '-F',
        `file=@${path};type=image/png`,
        service.url + to,
      ]);

    const answers = [await curl('PUT', PLACE), await curl('POST', '/api/v1/file-repository')];

    expect(answers.map(({ stdout }) => stdout)).to.deep.equal(['200', '201']);
    expect(await stored()).to.deep.equal({ name: 'étude 1.png', type: 'image/png', bytes });
    const [entry] = await client.fileRepository.list();
    expect(entry).to.include({ kind: 'file', name: 'étude 1.png' });
  });

  it('returns the bytes unchanged, up to the limit, whether its length is known or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: LIMIT, size: 'max' }),
        fc.boolean(),
        async (bytes, isChunked) => {
          const { headers, body } = new Response(formOf(bytes));
          const type = headers.get('content-type') ?? '';
          const init = isChunked
            ? { body, duplex: 'half' as const, headers: { 'content-type': type } }
            : { body: formOf(bytes) };

          expect((await call(PLACE, { method: 'PUT', ...init })).status).to.equal(200);

          expect((await stored()).bytes.equals(bytes)).to.equal(true);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('takes a file of exactly the limit, and refuses one byte more', async () => {
    const most = await call(PLACE, { method: 'PUT', body: formOf(Buffer.alloc(LIMIT)) });
    const more = await call(PLACE, { method: 'PUT', body: formOf(Buffer.alloc(LIMIT + 1)) });

    expect(most.status).to.equal(200);
    expect((await problemOf(more)).slice(0, 2)).to.deep.equal([413, 'payload_too_large']);
    expect((await stored()).bytes.length).to.equal(LIMIT);
  });

  it('is named by the query rather than by the form, without its folders', async () => {
    await call(`${PLACE}&fileName=scan.png`, { method: 'PUT', body: formOf('x', 'other.png') });
    expect((await stored()).name).to.equal('scan.png');

    await call(PLACE, { method: 'PUT', body: formOf('x', 'C:\\scans\\b.png') });
    expect((await stored()).name).to.equal('b.png');
  });

  it('works with FormData in the service client', async () => {
    const api = createServiceClient({
      baseUrl: service.url,
      apiKey: service.authorization.slice('Bearer '.length),
    });

    const { response } = await api.PUT('/api/v1/records/{record}/files/{field}', {
      params: { path: { record: '1', field: 'consent' }, query: { event: 'start_arm_1' } },
      body: formOf('from a form') as never,
    });

    expect(response.status).to.equal(200);
    expect(await stored()).to.deep.equal({
      name: 'new.txt',
      type: 'image/png',
      bytes: Buffer.from('from a form'),
    });
  });

  it('is entered in the audit log as an upload of the file alone is', async () => {
    const { audit, log } = await startMemoryAudit();
    const audited = await startService({ capture: client, audit });
    const send = (body: string | FormData) =>
      fetch(`${audited.url}${PLACE}&fileName=a.txt`, {
        method: 'PUT',
        headers: { authorization: audited.authorization },
        body,
      });
    await send('seven b');
    await send(formOf('seven b'));
    await closeServer(audited.server);

    const ended = log
      .of('call.ended')
      .map(({ operation, outcome, status, what }) => ({ operation, outcome, status, what }));
    expect(ended).to.have.lengthOf(2);
    expect(ended[1]).to.deep.equal(ended[0]);
    expect(ended[0]?.what).to.include({ bytes: 7 });
    const [file, form] = log.of('call.begun').map(({ what }) => what);
    expect(form).to.deep.equal(file).and.not.equal(undefined);
  });

  const PART = `--X\r\n${HEAD}\r\n\r\nnew`;
  const FIELD = '--X\r\nContent-Disposition: form-data; name="note"\r\n\r\nabc';
  const END = '\r\n--X--\r\n';
  const ONLY = [400, 'invalid_request', 'must be the only part of the form'];
  const MISSING = [
    400,
    'invalid_request',
    'is missing: choose one, or send a part of this name with a file name',
  ];
  const UNREADABLE = [400, 'malformed_request', undefined];
  for (const [what, body, problem] of [
    ['no part', '--X--\r\n', MISSING],
    ['a file after its end', `--X--\r\n${PART}${END}`, MISSING],
    ['a file without an end after its end', `--X--\r\n${PART}`, MISSING],
    ['two files without an end after its end', `--X--\r\n${PART}\r\n${PART}`, MISSING],
    ['a file, its end, and two more without one', `${PART}${END}${PART}\r\n${PART}`, ONLY],
    ['a second file', `${PART}\r\n${PART}${END}`, ONLY],
    ['a field before the file', `${FIELD}\r\n${PART}${END}`, ONLY],
    ['a field after the file', `${PART}\r\n${FIELD}${END}`, ONLY],
    ['a part that is no field after the file', `${PART}\r\n--X\r\nX-A: b\r\n\r\nabc${END}`, ONLY],
    ['a file of another name', `${PART.replace('"file"', '"scan"')}${END}`, ONLY],
    ['a text instead of a file', `${FIELD.replace('note', 'file')}${END}`, MISSING],
    ['a file without a name', `${PART.replace('new.txt', '')}${END}`, MISSING],
    ['a file whose name is a folder', `${PART.replace('new.txt', 'scans/')}${END}`, MISSING],
    [
      'bytes without a file name',
      `${PART.replace('; filename="new.txt"', '\r\nContent-Type: application/octet-stream')}${END}`,
      MISSING,
    ],
    [
      'a file that is encoded',
      `${PART.replace(HEAD, `${HEAD}\r\nContent-Transfer-Encoding: base64`)}${END}`,
      [400, 'invalid_request', 'must not have a Content-Transfer-Encoding'],
    ],
    ['an empty file', `--X\r\n${HEAD}\r\n\r\n${END}`, [400, 'invalid_request', 'must not be empty']],
    ['no end', PART, UNREADABLE],
    ['a header that is none after the file', `${PART}\r\n--X\r\n\u0000: x\r\n\r\n${END}`, UNREADABLE],
    ['a header without an end', `--X\r\n${'a'.repeat(20_000)}`, UNREADABLE],
    ['2 MB before the file', `${'a'.repeat(2_000_000)}\r\n${PART}${END}`, UNREADABLE],
    ['2 MB after the file', `${PART}${END}${'a'.repeat(2_000_000)}`, UNREADABLE],
  ] as const) {
    it(`with ${what} is refused, and the stored file kept`, async () => {
      const headers = { 'content-type': 'multipart/form-data; boundary=X' };

      const answer = await call(PLACE, { method: 'PUT', headers, body });

      expect(await problemOf(answer)).to.deep.equal(problem);
      expect(await stored()).to.deep.include({ name: 'old.txt', bytes: Buffer.from('old') });
    });
  }

  for (const encoding of ['7bit', '8bit', 'binary', 'BINARY']) {
    it(`stores a part whose Content-Transfer-Encoding is ${encoding} as it is`, async () => {
      const headers = { 'content-type': 'multipart/form-data; boundary=X' };
      const body = PART.replace(HEAD, `${HEAD}\r\nContent-Transfer-Encoding: ${encoding}`) + END;

      const { status } = await call(PLACE, { method: 'PUT', headers, body });

      expect(status).to.equal(200);
      expect(await stored()).to.deep.equal({
        name: 'new.txt',
        type: 'text/plain; charset=utf-8',
        bytes: Buffer.from('new'),
      });
    });
  }

  for (const [what, type, problem] of [
    ['without a boundary', 'multipart/form-data', [400, 'malformed_request']],
    ['that is another multipart body', 'multipart/mixed; boundary=X', [415, 'unsupported_media_type']],
  ] as const) {
    it(`${what} is refused`, async () => {
      const answer = await call(PLACE, {
        method: 'PUT',
        headers: { 'content-type': type },
        body: PART + END,
      });

      expect((await problemOf(answer)).slice(0, 2)).to.deep.equal(problem);
    });
  }
});
