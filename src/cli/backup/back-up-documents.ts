import type * as z from 'zod';
import type {
  CrfClient,
  FileDownload,
  RecordRow,
  RepositoryEntry,
} from '../../gateways/redcap/crf-client.js';
import { CliError } from '../cli-error.js';
import { type BackupFolder, DOCUMENT_LISTS, type StoredDocument, toBytes, toLines } from './backup-folder.js';
import type { StoredFolders } from './backup-schemas.js';

interface DocumentCount {
  fetched: number;
  kept: number;
}

interface Run {
  readonly signal: AbortSignal;
  readonly onProgress: (part: string, count: number) => void;
}

/** A document that a backup should have, and how it is fetched. */
interface Wanted {
  readonly document: Pick<StoredDocument, 'id' | 'place' | 'folders'>;
  readonly open: () => Promise<FileDownload>;
}

async function writeDocuments(
  { list, folder: place }: (typeof DOCUMENT_LISTS)[number],
  wanted: readonly Wanted[],
  folder: BackupFolder,
  count: DocumentCount,
  onEach: (done: number) => void,
): Promise<void> {
  const known = await folder.knownDocuments(list);
  const journal = await folder.journal(list, known.values());
  const documents: StoredDocument[] = [];
  try {
    for (const { document, open } of wanted) {
      const path = `${place}/${document.id}`;
      const stored = known.get(document.id);
      if (stored !== undefined && (await folder.isWhole(stored))) {
        documents.push({ ...stored, ...document });
        count.kept += 1;
      } else {
        const { name, contentType, body } = await open();
        const entry = { ...document, name, contentType, path, ...(await folder.writeDocument(path, body)) };
        for (const line of toLines([entry])) await journal.write(line);
        documents.push(entry);
        count.fetched += 1;
      }
      onEach(documents.length);
    }
  } finally {
    await journal.close();
  }
  await folder.writePart(list, toBytes(toLines(documents)));
}

interface FilesRun extends Run {
  /** The file fields of the project. */
  readonly fields: readonly string[];
  /** The names of the files by `fileKey`: the header of a download does not have every character. */
  readonly names: ReadonlyMap<string, string>;
  readonly count: DocumentCount;
}

/** The files of records. An export by value has their numbers; a file that is replaced gets a new one. */
export async function backUpFiles(
  client: CrfClient,
  folder: BackupFolder,
  { fields, names, count, signal, onProgress }: FilesRun,
): Promise<void> {
  const wanted: Wanted[] = [];
  if (fields.length > 0)
    for await (const row of client.streamRecords({ type: 'eav', fields, signal })) {
      const { value, redcap_event_name: event, redcap_repeat_instance: instance } = row;
      const id = Number(value);
      if (!Number.isSafeInteger(id) || id < 1)
        throw new CliError('REDCap does not give the numbers of the files of records: use --without files.');
      const [record, field] = [String(row.record), String(row.field_name)];
      const place = {
        record,
        field,
        ...(event && { event: String(event) }),
        ...(instance && { repeatInstance: Number(instance) }),
      };
      const name = names.get(fileKey(record, field, row));
      const open = async (): Promise<FileDownload> => {
        const file = await client.files.download(place, { signal });
        return { ...file, name: name ?? file.name };
      };
      wanted.push({ document: { id, place }, open });
    }
  await writeDocuments(DOCUMENT_LISTS[0], wanted, folder, count, (done) => onProgress('files', done));
}

/** Names the place of a file in an export of either kind. */
export function fileKey(record: string, field: string, row: RecordRow): string {
  const { redcap_event_name: event = '', redcap_repeat_instance: instance = '' } = row;
  return JSON.stringify([record, field, event, String(instance)]);
}

export async function backUpRepository(
  client: CrfClient,
  folder: BackupFolder,
  count: DocumentCount,
  { signal, onProgress }: Run,
): Promise<void> {
  const wanted: Wanted[] = [];
  const stored: z.infer<typeof StoredFolders> = [];
  await walkRepository(client, signal, ({ kind, id, role, dag }, folders) => {
    if (kind === 'folder') stored.push({ folders: [...folders], role, dag });
    else
      wanted.push({
        document: { id, folders: [...folders] },
        open: () => client.fileRepository.download(id, { signal }),
      });
  });
  await folder.writeJson('folders.json', stored);
  await writeDocuments(DOCUMENT_LISTS[1], wanted, folder, count, (done) => onProgress('repository', done));
}

/** Visits the file repository, each folder before what it holds. */
export async function walkRepository(
  client: CrfClient,
  signal: AbortSignal,
  /** @param folders the names of the folders down to the entry, with that of the entry if it is a folder */
  visit: (entry: RepositoryEntry, folders: readonly string[]) => void,
  { id, folders }: { readonly id?: number; readonly folders: readonly string[] } = { folders: [] },
): Promise<void> {
  for (const entry of await client.fileRepository.list(id, { signal })) {
    if (entry.kind === 'file') visit(entry, folders);
    else {
      const inner = [...folders, entry.name];
      visit(entry, inner);
      await walkRepository(client, signal, visit, { id: entry.id, folders: inner });
    }
  }
}
