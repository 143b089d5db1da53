import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { heard } from '../../domain/bytes/heard.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { CliError } from '../cli-error.js';
import { walkRepository } from './back-up-documents.js';
import type { BackupFolder, StoredDocument } from './backup-folder.js';
import { StoredDocument as DocumentText, StoredFolders } from './backup-schemas.js';

export interface RestoreOptions {
  readonly signal: AbortSignal;
  /** Called when a part begins, and with the number of rows or files of it so far. */
  readonly onProgress: (part: string, count: number) => void;
}

/** Uploads the files of records. @throws {CliError} one of them is not whole */
export async function putFiles(
  client: CrfClient,
  folder: BackupFolder,
  { signal, onProgress }: RestoreOptions,
): Promise<void> {
  let done = 0;
  for await (const document of wholeDocuments(folder, 'files.ndjson')) {
    if (document.place === undefined) continue;
    await client.files.upload(document.place, uploadOf(folder, document), { signal });
    onProgress('files', (done += 1));
  }
}

/**
 * Uploads the files of the file repository that are not there yet, with their folders.
 *
 * @param groups the unique name of each group in the project, by that in the backup
 * @returns what cannot be restored: a folder that only a role sees would be open to everyone
 * @throws {CliError} a file is not whole
 */
export async function putRepository(
  client: CrfClient,
  folder: BackupFolder,
  groups: ReadonlyMap<string, string>,
  { signal, onProgress }: RestoreOptions,
): Promise<string[]> {
  if (!folder.has('folders.json')) return [];
  const ids = new Map<string, number | undefined>([['[]', undefined]]);
  const present = new Map<string, number>();
  const fileKey = (folders: readonly string[] = [], name = ''): string => JSON.stringify([folders, name]);
  await walkRepository(client, signal, ({ kind, id, name }, folders) => {
    if (kind === 'folder') ids.set(JSON.stringify(folders), id);
    else present.set(fileKey(folders, name), (present.get(fileKey(folders, name)) ?? 0) + 1);
  });
  const groupIds = new Map((await client.dags.export()).map(({ uniqueName, id }) => [uniqueName, id]));
  const notes: string[] = [];
  for (const { folders, role, dag } of await folder.readJson('folders.json', StoredFolders)) {
    const [key, parent] = [JSON.stringify(folders), JSON.stringify(folders.slice(0, -1))];
    const dagId = dag === '' ? undefined : groupIds.get(groups.get(dag) ?? '');
    if (role !== '' || (dag !== '' && dagId === undefined))
      notes.push(
        `The folder ${folders.join('/')} is for one ${role === '' ? 'group' : 'role'} only: make it yourself.`,
      );
    else if (ids.has(parent) && !ids.has(key)) {
      const name = folders.at(-1) ?? '';
      ids.set(
        key,
        await client.fileRepository.createFolder({ name, parent: ids.get(parent), dagId }, { signal }),
      );
    }
  }
  let [done, left] = [0, 0];
  for await (const document of wholeDocuments(folder, 'repository.ndjson')) {
    const key = fileKey(document.folders, document.name);
    const count = present.get(key) ?? 0;
    present.set(key, count - 1);
    const parent = JSON.stringify(document.folders);
    if (!ids.has(parent)) left += 1;
    else if (count < 1)
      await client.fileRepository.upload(uploadOf(folder, document), { signal, folder: ids.get(parent) });
    onProgress('repository', (done += 1));
  }
  return left === 0 ? notes : [...notes, `${left} files of such folders were not restored.`];
}

/** Yields the documents of a list, each of which is as it was backed up. */
async function* wholeDocuments(folder: BackupFolder, list: string): AsyncGenerator<StoredDocument> {
  for await (const document of folder.readLines(list, DocumentText)) {
    if (!(await folder.isWhole(document))) throw new CliError(`${document.path} is not as it was written.`);
    yield document;
  }
}

function uploadOf(folder: BackupFolder, { name, contentType, path, bytes }: StoredDocument) {
  return { name, contentType, length: bytes, bytes: bytesOf(join(folder.path, path)) };
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of heard(createReadStream(path))) yield chunk as Buffer;
}
