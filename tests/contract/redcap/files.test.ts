import { expect } from 'chai';
import fc from 'fast-check';
import type { StoredDocument } from '../../../src/sandbox/redcap/files/document-store.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { jsonOf, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

/** Sends a file as every client does: multipart, with the part named `file`. */
async function upload(sandbox: TestSandbox, form: Form, name: string, bytes: Uint8Array): Promise<Response> {
  const body = new FormData();
  for (const [key, value] of Object.entries({ token: sandbox.token, ...form }))
    if (value !== undefined) body.append(key, value);
  body.append('file', new Blob([bytes]), name);
  return fetch(sandbox.url, { method: 'POST', body });
}

async function download(sandbox: TestSandbox, form: Form): Promise<Response> {
  const body = new URLSearchParams({ token: sandbox.token });
  for (const [key, value] of Object.entries(form)) if (value !== undefined) body.append(key, value);
  return fetch(sandbox.url, { method: 'POST', body });
}

const place: Form = { content: 'file', record: '1', field: 'consent', event: 'start_arm_1' };

describe('Files of the REDCap sandbox', () => {
  let sandbox: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(armsStudy());
  });
  afterEach(() => sandbox.close());

  function documentOf(record: string): StoredDocument | undefined {
    const spot = { event: 'start_arm_1', instrument: '', instance: 0, field: 'consent' };
    return sandbox.project.documents.at({ record, ...spot });
  }

  it('are downloaded as they were uploaded, with their name, and deleted with an empty answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5000 }),
        fc.stringMatching(/^[A-Za-z0-9À-ÿ][ A-Za-z0-9À-ÿ._-]{0,40}$/),
        async (bytes, name) => {
          const stored = await upload(sandbox, { ...place, action: 'import' }, name, bytes);
          expect([stored.status, await stored.text()]).to.deep.equal([200, '']);

          const answer = await download(sandbox, { ...place, action: 'export' });

          expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
          const header = Buffer.from(answer.headers.get('content-type') ?? '', 'latin1').toString('utf8');
          expect(header).to.include(`name="${name}"`);
        },
      ),
      { numRuns: 25 },
    );
    expect(await textOf(sandbox, { ...place, action: 'delete' })).to.equal('');
    expect(await refusalOf(sandbox, { ...place, action: 'export' })).to.equal(
      'The requested file does not exist',
    );
  });

  for (const [sent, stored] of [
    ['.', '.'],
    ['..', '..'],
    ['a/b\\c.txt', 'c.txt'],
    ['folder/', ''],
  ] as const) {
    it(`have the name ${JSON.stringify(stored)} if ${JSON.stringify(sent)} was sent, as PHP reads it`, async () => {
      await upload(sandbox, { ...place, action: 'import' }, sent, Buffer.from('x'));

      expect(documentOf('1')?.name).to.equal(stored);
    });
  }

  it('appear in an export by name', async () => {
    await upload(sandbox, { ...place, action: 'import' }, 'signed.pdf', Buffer.from('x'));

    expect(await textOf(sandbox, { content: 'record', records: '1', fields: 'consent' })).to.include(
      'signed.pdf',
    );
  });

  for (const [part, form] of [
    ['its record', {}],
    ['its arm', { arm: '1' }],
    ['its event', { event: 'start_arm_1' }],
    ['its instrument', { event: 'start_arm_1', instrument: 'enrol' }],
  ] as const) {
    it(`are deleted with ${part}, so that a new record of that name has none and can store one`, async () => {
      await upload(sandbox, { ...place, action: 'import' }, 'signed.pdf', Buffer.from('x'));
      const id = documentOf('1')?.id ?? 0;

      await textOf(sandbox, { content: 'record', action: 'delete', records: '1', ...form });
      await textOf(sandbox, { content: 'record', data: 'id,redcap_event_name\n1,start_arm_1\n' });

      expect(await refusalOf(sandbox, { ...place, action: 'export' })).to.equal(
        'The requested file does not exist',
      );
      expect([id > 0, sandbox.project.documents.get(id)]).to.deep.equal([true, undefined]);
    });
  }

  it('are deleted with their arm, and stay when another part of the record is deleted', async () => {
    await upload(sandbox, { ...place, action: 'import' }, 'signed.pdf', Buffer.from('x'));
    const id = documentOf('1')?.id ?? 0;
    await textOf(sandbox, { content: 'record', action: 'delete', records: '1', event: 'visit_arm_1' });
    expect(sandbox.project.documents.get(id)?.name).to.equal('signed.pdf');

    await textOf(sandbox, { content: 'arm', action: 'delete', arms: '1' });

    expect(sandbox.project.documents.get(id)).to.equal(undefined);
  });

  it('stay with their record when it is renamed', async () => {
    await upload(sandbox, { ...place, action: 'import' }, 'signed.pdf', Buffer.from('x'));
    await textOf(sandbox, { content: 'record', action: 'rename', record: '1', new_record_name: '7' });

    expect(await (await download(sandbox, { ...place, record: '7', action: 'export' })).text()).to.equal('x');
    expect(documentOf('1')).to.equal(undefined);
  });

  it('stay when their replacement is too large', async () => {
    await upload(sandbox, { ...place, action: 'import' }, 'signed.pdf', Buffer.from('x'));
    const tooLarge = { length: 257 * 1024 * 1024 } as Buffer; // Only its length counts.

    expect(() =>
      sandbox.project.documents.put(
        { record: '1', event: 'start_arm_1', instrument: '', instance: 0, field: 'consent' },
        { name: 'large.bin', type: 'text/plain', bytes: tooLarge },
      ),
    ).to.throw('256 MB');
    expect(await (await download(sandbox, { ...place, action: 'export' })).text()).to.equal('x');
  });

  it('are refused for a field that is not a file field', async () => {
    expect(await refusalOf(sandbox, { ...place, field: 'name', action: 'export' })).to.equal(
      "The field 'name' does not exist or is not a 'file' field",
    );
  });

  it('have a size and a description, by their document number', async () => {
    await upload(
      sandbox,
      { content: 'fileRepository', action: 'import' },
      'protocol.txt',
      Buffer.from('12345'),
    );
    const [entry] = (await jsonOf(sandbox, { content: 'fileRepository', action: 'list' })) as {
      doc_id: number;
      name: string;
    }[];

    expect(entry?.name).to.equal('protocol.txt');
    const doc_id = String(entry?.doc_id);
    expect(await textOf(sandbox, { content: 'filesize', doc_id })).to.equal('5');
    expect(await jsonOf(sandbox, { content: 'fileinfo', doc_id })).to.include({
      doc_name: 'protocol.txt',
      doc_size: 5,
    });
    const answer = await download(sandbox, { content: 'fileRepository', action: 'export', doc_id });
    expect(await answer.text()).to.equal('12345');

    expect(await textOf(sandbox, { content: 'fileRepository', action: 'delete', doc_id })).to.equal('');
    expect(await jsonOf(sandbox, { content: 'fileRepository', action: 'list' })).to.deep.equal([]);
  });

  it('are stored in folders, which are listed first', async () => {
    const create = { content: 'fileRepository', action: 'createFolder' };
    const [folder] = (await jsonOf(sandbox, { ...create, name: 'Forms' })) as { folder_id: number }[];
    const folder_id = String(folder?.folder_id);
    await upload(
      sandbox,
      { content: 'fileRepository', action: 'import', folder_id },
      'a.txt',
      Buffer.from('a'),
    );

    expect(await jsonOf(sandbox, { content: 'fileRepository', action: 'list' })).to.deep.equal([
      { folder_id: 1, name: 'Forms' },
    ]);
    expect(await jsonOf(sandbox, { content: 'fileRepository', action: 'list', folder_id })).to.deep.equal([
      { doc_id: 1, name: 'a.txt' },
    ]);
    expect(await refusalOf(sandbox, { content: 'fileRepository', action: 'list', folder_id: '9' })).to.match(
      /^The File Repository folder folder_id=9 does not exist/,
    );
  });

  it('are PDF documents in a classic project, whatever event is sent', async () => {
    const classic = await startTestSandbox(classicStudy());
    const answer = await download(classic, { content: 'pdf', record: '2', event: 'event_1_arm_1' });

    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).to.include('Record 2');
    await classic.close();
  });

  for (const form of [{}, { record: '1' }, { allRecords: 'x' }, { instrument: 'meds' }] as Form[]) {
    it(`are PDF documents of forms: ${JSON.stringify(form)}`, async () => {
      const answer = await download(sandbox, { content: 'pdf', ...form });
      const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');

      expect(answer.headers.get('content-type')).to.equal('text/html; charset=UTF-8');
      expect(text.startsWith('%PDF-1.3\n3 0 obj\n') && text.endsWith('%%EOF\n')).to.equal(true);
      expect(text.includes('Ada')).to.equal('record' in form || 'allRecords' in form);
    });
  }
});
