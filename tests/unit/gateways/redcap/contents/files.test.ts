import { expect } from 'chai';
import fc from 'fast-check';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FileDownload, FileUpload } from '../../../../../src/gateways/redcap/crf-client.js';
import { rejection } from '../../../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../../../support/sandbox-client.js';
import { armsStudy } from '../../../../support/studies.js';

const place = { record: '1', field: 'consent', event: 'start_arm_1' };

/** Any valid file name: no slash, no backslash, no control character, neither `.` nor `..`. */
const fileName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((name) => name.length <= 255 && /^(?!\s*$|\.{1,2}$)[^\p{Cc}\p{Cs}/\\"]+$/u.test(name));

async function bytesOf({ body }: FileDownload): Promise<Buffer> {
  return buffer(body);
}

describe('Files through the client', () => {
  let started: SandboxClient;

  before(async () => {
    started = await startSandboxClient(armsStudy());
  });
  after(() => started.close());

  it('round-trip byte for byte, with any name, whether or not their length is given', async () => {
    const { files } = started.client;
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 70_000, size: 'max' }),
        fileName,
        fc.boolean(),
        async (bytes, name, hasLength) => {
          const pieces = Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]);
          await files.put(place, {
            name,
            contentType: 'application/pdf',
            bytes: pieces,
            ...(hasLength && { length: bytes.length }),
          });

          const download = await files.get(place);

          expect(download).to.include({ name, contentType: 'application/pdf', length: bytes.length });
          expect((await bytesOf(download)).equals(bytes)).to.equal(true);
        },
      ),
      { numRuns: 20 },
    );
  });

  for (const name of ['...', '.hidden', '..a', 'a.', ' .']) {
    it(`keep the name ${JSON.stringify(name)}`, async () => {
      await started.client.files.put(place, { name, bytes: [Buffer.from('x')] });

      const download = await started.client.files.get(place);

      expect(download.name).to.equal(name);
      await bytesOf(download);
    });
  }

  it('keep quotation marks in their name', async () => {
    await started.client.files.put(place, { name: 'a "b".pdf', bytes: [Buffer.from('x')] });

    const [row] = await started.client.exportRecords({ records: ['1'], fields: ['consent'] });
    expect(row).to.include({ consent: 'a "b".pdf' });
  });

  it('keep their charset if they are text', async () => {
    const contentType = 'text/plain';
    await started.client.files.put(place, { name: 'n.txt', contentType, bytes: [Buffer.from('é')] });

    const download = await started.client.files.get(place);

    expect(download.contentType).to.equal('text/plain; charset=utf-8');
    expect(await bytesOf(download)).to.deep.equal(Buffer.from('é'));
  });

  it('are returned even if they look like an error of REDCap', async () => {
    const bytes = Buffer.from('{"error":"this is the file"}');
    await started.client.files.put(place, {
      name: 'e.json',
      contentType: 'application/json',
      bytes: [bytes],
    });

    expect(await bytesOf(await started.client.files.get(place))).to.deep.equal(bytes);
  });

  const bytes = Uint8Array.from([0, 255, 34, 10]);
  for (const [form, file, contentType] of [
    ['a Uint8Array', { bytes }, 'application/octet-stream'],
    [
      'a part of a buffer',
      { bytes: Buffer.from([9, 9, ...bytes, 9]).subarray(2, 6) },
      'application/octet-stream',
    ],
    ['a Blob', { bytes: new Blob([bytes]) }, 'application/octet-stream'],
    ['a Blob with a type', { bytes: new Blob([bytes], { type: 'image/png' }) }, 'image/png'],
    [
      'a File and another type',
      { bytes: new File([bytes], 'b.png', { type: 'image/png' }), contentType: 'image/jpeg' },
      'image/jpeg',
    ],
  ] as const) {
    it(`are stored from ${form}, with their length`, async () => {
      await started.client.files.put(place, { name: 'a.bin', ...file });

      const download = await started.client.files.get(place);

      expect(download).to.include({ name: 'a.bin', contentType, length: 4 });
      expect([...(await bytesOf(download))]).to.deep.equal([...bytes]);
    });
  }

  it('can be deleted once', async () => {
    const { files } = started.client;
    await files.put(place, { name: 'a.txt', bytes: [Buffer.from('x')] });

    await files.delete(place);

    expect(await rejection(files.get(place))).to.have.property('code', 'file_not_found');
    expect(await rejection(files.delete(place))).to.have.property('code', 'file_not_found');
  });

  for (const [what, name] of [
    ['a slash', '../x'],
    ['a backslash', 'a\\b'],
    ['a line break', 'a\r\nX-Evil: 1'],
    ['nothing', ''],
    ['only blanks', '  '],
    ['one dot', '.'],
    ['two dots', '..'],
    ['256 characters', 'x'.repeat(256)],
  ] as const) {
    it(`are refused with a name of ${what}`, async () => {
      const refused = started.client.files.put(place, { name, bytes: [] });

      expect(await rejection(refused)).to.have.property('code', 'invalid_request');
    });
  }

  for (const [what, field, file] of [
    ['no name', 'name', { bytes: [] }],
    ['no bytes', 'bytes', { name: 'a.txt' }],
    ['text for their bytes', 'bytes', { name: 'a.txt', bytes: 'text' }],
    ['an array of numbers for a list of bytes', 'file', { name: 'a.txt', bytes: [1, 2] }],
    ['a stream of text', 'file', { name: 'a.txt', bytes: Readable.from(['text']) }],
  ] as const) {
    it(`are refused with ${what}, from a caller without types`, async () => {
      const refused = started.client.files.put(place, file as unknown as FileUpload);

      expect(await rejection(refused)).to.have.nested.property('errors[0].field', field);
    });
  }

  it('say that their source failed', async () => {
    const bytes = Readable.from(
      (async function* () {
        yield Buffer.from('bytes');
        throw new Error('ENOENT');
      })(),
    );

    const error = await rejection(started.client.files.put(place, { name: 'a.txt', bytes }));

    expect(error).to.have.property('code', 'cancelled');
    expect(error).to.have.property('message').that.includes('could not be read');
    expect(error).to.have.nested.property('cause.message', 'ENOENT');
  });

  it('are refused if their length differs from the one given, and nothing is stored', async () => {
    const { files } = started.client;
    await files.put(place, { name: 'old.txt', bytes: [Buffer.from('old')] });
    for (const length of [2, 4]) {
      const refused = files.put(place, { name: 'new.txt', bytes: [Buffer.from('new')], length });
      expect(await rejection(refused)).to.have.property('code', 'invalid_request');
    }

    expect((await bytesOf(await files.get(place))).toString()).to.equal('old');
  });

  it('cannot be downloaded from a field that is not a file field', async () => {
    const error = await rejection(started.client.files.get({ ...place, field: 'name' }));

    expect(error).to.have.property('code', 'invalid_request');
  });
});

describe('The file repository through the client', () => {
  let started: SandboxClient;

  beforeEach(async () => {
    started = await startSandboxClient(armsStudy());
  });
  afterEach(() => started.close());

  it('creates folders, and uploads, lists, downloads and deletes files in them', async () => {
    const { fileRepository: repository } = started.client;
    const folder = await repository.createFolder({ name: 'Forms' });
    await repository.put({ name: 'a.txt', bytes: [Buffer.from('12345')] }, { folder });

    expect(await repository.list()).to.deep.equal([
      { kind: 'folder', id: folder, name: 'Forms', role: '', dag: '' },
    ]);
    const [file] = await repository.list(folder);
    expect(file).to.deep.include({ kind: 'file', name: 'a.txt' });
    const id = file?.id ?? 0;
    expect((await bytesOf(await repository.get(id))).toString()).to.equal('12345');
    expect(await repository.size(id)).to.equal(5);
    expect(await repository.info(id)).to.deep.include({ id, name: 'a.txt', length: 5 });

    await repository.delete(id);

    expect(await repository.list(folder)).to.deep.equal([]);
    expect(await rejection(repository.get(id))).to.have.property('code', 'file_not_found');
  });

  it('refuses an unknown folder and a duplicate name', async () => {
    const { fileRepository: repository } = started.client;
    await repository.createFolder({ name: 'Forms' });

    expect(await rejection(repository.list(9))).to.have.nested.property('errors[0].field', 'folder');
    expect(await rejection(repository.createFolder({ name: 'Forms' }))).to.have.nested.property(
      'errors[0].field',
      'name',
    );
  });
});
