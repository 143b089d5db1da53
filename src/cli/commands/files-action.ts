import type { RepositoryEntry } from '../../gateways/redcap/crf-client.js';
import { FileService } from '../../services/files/file-service.js';
import { confirm } from '../options/confirm.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { interruptSignal } from '../interrupt.js';
import { withClient } from '../open-client.js';
import { printRows, type FormArguments } from '../printing/print-rows.js';
import { readUpload, type UploadArguments } from '../files/read-upload.js';
import { saveFile, type SaveArguments } from '../files/save-file.js';
import type { Column } from '../printing/table.js';

type DocumentArguments = GlobalArguments & { readonly id: number };
type FolderArguments = GlobalArguments & { readonly folder?: number | undefined };

const ENTRIES: readonly Column<RepositoryEntry>[] = [
  { title: 'kind', cell: ({ kind }) => kind },
  { title: 'id', cell: ({ id }) => String(id) },
  { title: 'name', cell: ({ name }) => name },
];

/** `crf files list`. */
export async function listFiles(options: FolderArguments & FormArguments): Promise<void> {
  await withClient(options, async ({ client }) => {
    printRows(await client.fileRepository.list(options.folder), { table: ENTRIES }, options);
  });
}

/** `crf files info`. */
export async function describeDocument(
  options: DocumentArguments & { readonly json: boolean },
): Promise<void> {
  await withClient(options, async ({ client }) => {
    const info = await new FileService(client).documentInfo(options.id);
    if (options.json) {
      process.stdout.write(`${JSON.stringify(info, null, 2)}\n`);
      return;
    }
    const lines: readonly (readonly [string, string])[] = [
      ['Name', info.name],
      ['Media type', info.contentType],
      ['Length', `${info.length} bytes`],
    ];
    for (const [label, value] of lines) process.stdout.write(`${`${label}:`.padEnd(12)}${value}\n`);
  });
}

/** `crf files get`. */
export async function getDocument(options: DocumentArguments & SaveArguments): Promise<void> {
  await saveFile(options, `document-${options.id}`, (client, signal) =>
    client.fileRepository.download(options.id, { signal }),
  );
}

/** `crf files put`. */
export async function putDocument(options: FolderArguments & UploadArguments): Promise<void> {
  const signal = interruptSignal();
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    await client.fileRepository.upload(await readUpload(options), { signal, folder: options.folder });
  });
  if (!options.quiet) process.stderr.write('Uploaded.\n');
}

/** `crf files rm`. */
export async function removeDocument(options: DocumentArguments & { readonly yes: boolean }): Promise<void> {
  await confirm(`Delete file ${options.id} of the file repository`, options.yes);
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    await client.fileRepository.delete(options.id);
  });
  if (!options.quiet) process.stderr.write('Deleted.\n');
}

/** `crf files mkdir`. */
export async function makeFolder({
  name,
  parent,
  ...options
}: GlobalArguments & { readonly name: string; readonly parent?: number | undefined }): Promise<void> {
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    const id = await client.fileRepository.createFolder({ name: String(name), parent });
    process.stdout.write(`${id}\n`);
  });
}
