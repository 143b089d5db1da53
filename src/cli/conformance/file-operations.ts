import { buffer, text } from 'node:stream/consumers';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { SMALL_LIMIT } from './learn-subject.js';
import { emptyHasNone, type Operation, read, type Subject, unless, write } from './operation.js';
import { withScratch } from './record-writes.js';

const BYTES = Buffer.from('made by crf conformance\n');

/** Operations that read documents and the whole design. */
export const FILE_READS: readonly Operation[] = [
  read(['pdf.download', 'pdf', 'export', '11.4'], async ({ client }) => {
    const { body } = await client.pdf.download();
    return unless((await buffer(body)).subarray(0, 5).toString() === '%PDF-', 'the document is not a PDF');
  }),
  read(
    [
      'pdf.downloadAll',
      'pdf',
      'export',
      '11.4',
      {
        notFor: (subject) =>
          emptyHasNone(subject) ??
          (subject.isSmall ? undefined : `the project has more than ${SMALL_LIMIT} rows of records`),
      },
    ],
    async ({ client }) => {
      const { body } = await client.pdf.downloadAll({ compact: true });
      return unless((await buffer(body)).subarray(0, 5).toString() === '%PDF-', 'the document is not a PDF');
    },
  ),
  read(['projects.openXml', 'project_xml', 'export', '9.8'], async ({ client }) => {
    const document = await text(await client.projects.openXml({ metadataOnly: true }));
    return unless(document.includes('<redcap:'), 'the document has no attributes of REDCap');
  }),
  read(['fileRepository.list', 'fileRepository', 'list', '11.3'], async ({ client }) => {
    await client.fileRepository.list();
    return [];
  }),
  read(
    ['reports.export', 'report', 'export', '13.1', { notFor: reportless }],
    async ({ client, subject: { idField, report = 0 } }) => {
      const rows = await client.reports.export(report);
      return unless(
        rows.every((row) => Object.keys(row)[0] === idField),
        'a row of a report does not begin with the record ID',
      );
    },
  ),
  read(
    ['reports.open', 'report', 'export', '13.1', { notFor: reportless }],
    async ({ client, subject: { idField, report = 0 } }) => {
      const csv = await text(await client.reports.open(report, { format: 'csv' }));
      return unless(
        csv === '' || csv.startsWith(idField),
        'CSV of a report does not begin with the name of the id field',
      );
    },
  ),
];

function reportless({ report }: Subject): string | undefined {
  return report === undefined ? 'no report was named (--report)' : undefined;
}

/**
 * Operations that store files. Each uploads a file to the file repository or to its own record, reads it and deletes
 * it.
 */
export const FILE_WRITES: readonly Operation[] = [
  write(
    [
      'fileRepository.upload, fileRepository.download, fileRepository.delete',
      'fileRepository',
      'import, export, delete',
      '11.3',
    ],
    async ({ client, scratchRecord }) => {
      const ownName = nameFor(scratchRecord);
      await client.fileRepository.upload({ name: ownName, contentType: 'text/plain', bytes: [BYTES] });
      const found = await ownFile(client, ownName);
      if (found === undefined) return ['a file that was uploaded is not listed'];
      const { name, bytes } = await downloaded(client, found).finally(() =>
        client.fileRepository.delete(found),
      );
      return [
        ...unless(name === ownName, 'a file comes back under another name'),
        ...unless(bytes.equals(BYTES), 'a file comes back with other bytes'),
        ...unless((await ownFile(client, ownName)) === undefined, 'a file that was deleted is still listed'),
      ];
    },
  ),
  write(
    ['files.info, files.size', 'fileinfo, filesize', 'export', '11.2', { mayBeRefused: true }],
    async ({ client, scratchRecord }) => {
      const ownName = nameFor(scratchRecord);
      await client.fileRepository.upload({ name: ownName, contentType: 'text/plain', bytes: [BYTES] });
      const found = await ownFile(client, ownName);
      if (found === undefined) return ['a file that was uploaded is not listed'];
      try {
        const { id, length = BYTES.length } = await client.files.info(found);
        const size = await client.files.size(found);
        return [
          ...unless(id === found, 'a file is described under another number'),
          ...unless(length === BYTES.length && size === BYTES.length, 'a file has another length'),
        ];
      } finally {
        await client.fileRepository.delete(found);
      }
    },
  ),
  write(
    [
      'files.upload, files.download, files.delete',
      'file',
      'import, export, delete',
      '11.1',
      {
        notFor: ({ fileField }) =>
          fileField === undefined ? 'the first instrument has no file field at the first event' : undefined,
      },
    ],
    (probe) =>
      withScratch(probe, async ({ client, subject: { fileField = '' }, scratchRecord }, row) => {
        await client.importRecords([row], { check: false });
        const place = { record: scratchRecord, field: fileField, event: row.redcap_event_name?.toString() };
        const ownName = nameFor(scratchRecord);
        await client.files.upload(place, { name: ownName, contentType: 'text/plain', bytes: [BYTES] });
        const { name, body } = await client.files.download(place);
        const bytes = await buffer(body);
        await client.files.delete(place);
        return [
          ...unless(name === ownName, 'a file comes back under another name'),
          ...unless(bytes.equals(BYTES), 'a file comes back with other bytes'),
        ];
      }),
  ),
];

async function downloaded(client: CrfClient, id: number): Promise<{ name: string; bytes: Buffer }> {
  const { name, body } = await client.fileRepository.download(id);
  return { name, bytes: await buffer(body) };
}

/** Returns a name of this run alone, so that two runs at once do not delete each other's file. */
function nameFor(scratchRecord: string): string {
  return `${scratchRecord}.txt`;
}

async function ownFile(client: CrfClient, ownName: string): Promise<number | undefined> {
  const entries = await client.fileRepository.list();
  return entries.find(({ kind, name }) => kind === 'file' && name === ownName)?.id;
}
