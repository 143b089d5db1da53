import type * as z from 'zod';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { UpstreamForbiddenError, UpstreamRejectedError } from '../../domain/errors/upstream-errors.js';
import type {
  CrfClient,
  FileDownload,
  ProjectInfo,
  RecordRow,
  RepositoryEntry,
  SurveyParticipant,
} from '../../gateways/redcap/crf-client.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { PROJECT_LISTS } from '../lists.js';
import {
  type BackupFolder,
  type BackupRun,
  DOCUMENT_LISTS,
  type Manifest,
  type StoredDocument,
  toBytes,
  toLines,
} from './backup-folder.js';
import type { StoredFolders } from './backup-schemas.js';

type OptionalPart = (typeof OPTIONAL_PARTS)[number];

interface BackupOptions extends BackupRun {
  /** What is left out. */
  readonly without: readonly OptionalPart[];
}

/** The lists of a project that a backup has, each in the format that `crf LIST --json` prints and `crf LIST put` takes. */
const DESIGN_LISTS = ['arms', 'events', 'mappings', 'repeating', 'dags'] as const;
const PEOPLE_LISTS = ['users', 'roles', 'dag-assignments', 'role-assignments'] as const;

/** What REDCap's API does not give, or does not take back. */
const NO_API: Manifest['leftOut'] = [
  { what: 'reports', why: 'no list of them in the API; project.xml has them' },
  {
    what: 'settings of surveys, labels of instruments, missing data codes',
    why: 'not in the API on their own; project.xml has them, so make the project that you restore to from it',
  },
  { what: 'survey timestamps and identifiers', why: 'in records.ndjson; the API does not take them back' },
  { what: 'participants and log', why: 'in participants.json and log.json; the API does not take them back' },
  {
    what: 'locks, e-signatures, data queries, alerts, calendar, randomization tables, file versions, tokens',
    why: 'not in the API',
  },
];

/**
 * Makes a backup of a project, or brings one up to date: documents that the folder has are not fetched again. It is not
 * a snapshot: what people change meanwhile may be in one part and not in another.
 *
 * @returns how many documents were fetched, and how many the folder had
 * @throws {CliError} the token may not read a part; it names the option that leaves it out
 * @throws {InvalidRequestError} the folder has a backup of another project, or the token's rights hide columns
 */
export async function backUp(
  client: CrfClient,
  folder: BackupFolder,
  options: BackupOptions,
): Promise<{ fetched: number; kept: number; manifest: Omit<Manifest, 'parts' | 'format'> }> {
  const { signal, onProgress, without } = options;
  const info = await client.project.getInfo({ signal });
  if (folder.manifest !== undefined && folder.manifest.project.id !== info.id)
    throw new InvalidRequestError([{ field: 'folder', message: 'has a backup of another project' }]);
  const count = { fetched: 0, kept: 0 };

  onProgress('design', 0);
  await folder.writeJson('info.json', info);
  const fields = await client.fields.list({ signal });
  await folder.writeJson('dictionary.json', fields);
  await folder.writeJson('instruments.json', await client.instruments.list({ signal }));
  for (const name of DESIGN_LISTS)
    await folder.writeJson(`${name}.json`, await PROJECT_LISTS[name].list(client));
  await folder.writePart('project.xml', await client.project.openXml({ metadataOnly: true, signal }));
  const idField = fields[0]?.name ?? '';
  const fileFields = fields.filter(({ type }) => type === 'file').map(({ name }) => name);
  const fileNames = new Map<string, string>();
  const parts: Readonly<Record<OptionalPart, () => Promise<void>>> = {
    people: async () => {
      for (const name of PEOPLE_LISTS)
        await folder.writeJson(`${name}.json`, await PROJECT_LISTS[name].list(client));
    },
    files: () => backUpFiles(client, folder, { fields: fileFields, names: fileNames, count, ...options }),
    repository: () => backUpRepository(client, folder, count, options),
    surveys: async () => folder.writeJson('participants.json', await participants(client, info, signal)),
    log: async () => folder.writePart('log.json', await client.log.open({ signal })),
  };
  const noteNames = (row: RecordRow): void => {
    for (const field of fileFields)
      if (row[field] !== undefined && row[field] !== '')
        fileNames.set(fileKey(String(row[idField]), field, row), String(row[field]));
  };
  onProgress('records', 0);
  await folder.writePart('records.ndjson', toBytes(recordLines(client, noteNames, options)));
  for (const part of OPTIONAL_PARTS) {
    if (without.includes(part)) continue;
    onProgress(part, 0);
    await orForbidden(part, parts[part]);
  }
  const manifest = {
    at: new Date().toISOString(),
    redcap: await client.getVersion({ signal }),
    project: { id: info.id, title: info.title },
    leftOut: [...without.map((what) => ({ what, why: 'left out with --without' })), ...NO_API],
  };
  await folder.commit(manifest);
  return { ...count, manifest };
}

/** The rows as `crf restore` compares them: form statuses of forms that were never saved are blank. */
export const ROWS = {
  exportDataAccessGroups: true,
  exportSurveyFields: true,
  exportBlankForGrayFormStatus: true,
} as const;

async function* recordLines(
  client: CrfClient,
  onRow: (row: RecordRow) => void,
  { signal, onProgress }: BackupOptions,
): AsyncGenerator<string> {
  const columns = await client.exportFieldNames.list({ signal });
  let rows = 0;
  for await (const row of client.streamRecords({ ...ROWS, signal })) {
    const hidden = rows === 0 ? columns.filter(({ column }) => !Object.hasOwn(row, column)) : [];
    if (hidden.length > 0)
      throw new InvalidRequestError(
        hidden.map(({ column }) => ({
          field: column,
          message: "is hidden from the token's user: a backup needs full export rights on every form",
        })),
      );
    rows += 1;
    onRow(row);
    if (rows % 100 === 0) onProgress('records', rows);
    yield `${JSON.stringify(row)}\n`;
  }
  onProgress('records', rows);
}

async function orForbidden(part: OptionalPart, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UpstreamForbiddenError)) throw error;
    const message = `${error.message} --without ${part} makes a backup that says what it lacks.`;
    throw new CliError(message, EXIT_CODES.credentials, { cause: error });
  }
}

/** Lists the participants of every instrument that is a survey; REDCap refuses the others. */
async function participants(client: CrfClient, info: ProjectInfo, signal: AbortSignal): Promise<object[]> {
  if (!info.surveysEnabled) return [];
  const instruments = await client.instruments.list({ signal });
  const mappings = await client.mappings.list({ signal });
  const places = info.isLongitudinal
    ? mappings.map(({ instrument, event }) => ({ instrument, event }))
    : instruments.map(({ name: instrument }) => ({ instrument }));
  const lists: { instrument: string; event?: string; participants: SurveyParticipant[] }[] = [];
  for (const place of places) {
    try {
      lists.push({ ...place, participants: await client.surveys.listParticipants(place, { signal }) });
    } catch (error) {
      const isRefused = error instanceof UpstreamRejectedError || error instanceof InvalidRequestError;
      if (!isRefused) throw error;
    }
  }
  return lists;
}

/** What a backup can do without, for a token that may not read it: the choices of `--without`. */
export const OPTIONAL_PARTS = ['files', 'log', 'people', 'repository', 'surveys'] as const;

interface DocumentCount {
  fetched: number;
  kept: number;
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

interface FilesRun extends BackupRun {
  /** The file fields of the project. */
  readonly fields: readonly string[];
  /** The names of the files by `fileKey`: the header of a download does not have every character. */
  readonly names: ReadonlyMap<string, string>;
  readonly count: DocumentCount;
}

/** The files of records. An export by value has their numbers; a file that is replaced gets a new one. */
async function backUpFiles(
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
        ...(instance && { instance: Number(instance) }),
      };
      const name = names.get(fileKey(record, field, row));
      const open = async (): Promise<FileDownload> => {
        const file = await client.files.get(place, { signal });
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

async function backUpRepository(
  client: CrfClient,
  folder: BackupFolder,
  count: DocumentCount,
  { signal, onProgress }: BackupRun,
): Promise<void> {
  const wanted: Wanted[] = [];
  const stored: z.infer<typeof StoredFolders> = [];
  await walkRepository(client, signal, ({ kind, id, role, dag }, folders) => {
    if (kind === 'folder') stored.push({ folders: [...folders], role, dag });
    else
      wanted.push({
        document: { id, folders: [...folders] },
        open: () => client.fileRepository.get(id, { signal }),
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
