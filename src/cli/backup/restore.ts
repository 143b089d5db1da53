import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { heard } from '../../domain/bytes/heard.js';
import type { Field } from '../../domain/dictionary/field.js';
import type {
  CrfClient,
  DataAccessGroup,
  UserRole,
  UserRoleAssignment,
} from '../../gateways/redcap/crf-client.js';
import { withKnownNames } from '../../services/design/known-names.js';
import { RecordWriter } from '../../services/record-writer.js';
import { CliError, UsageError } from '../cli-error.js';
import { settingsOf } from '../commands/info.js';
import type { DesignLists } from '../../services/design/design-lists.js';
import { entriesOf, type ListName, PROJECT_LISTS, putList, type Row } from '../lists.js';
import { walkRepository } from './back-up.js';
import {
  type BackupFolder,
  type BackupRun,
  type StoredDocument,
  toBytes,
  toLines,
  writeHashed,
} from './backup-folder.js';
import {
  StoredDictionary,
  StoredDocument as DocumentText,
  StoredFolders,
  StoredInfo,
  StoredRow,
} from './backup-schemas.js';

/** What a backup and the project that it was restored to call the same thing. */
export interface Restored {
  /** The unique name of each group in the project, by that in the backup. */
  readonly groups: ReadonlyMap<string, string>;
  /** Users of the backup that the project had before, among them that of the token: they keep their rights. */
  readonly keptUsers: ReadonlySet<string>;
  /** What the API cannot restore, in words. */
  readonly notes: readonly string[];
}

/** The file that says which project a restore has begun to fill, until it has ended. */
const BEGUN = 'restoring.json';

const Begun = z.object({ id: z.number(), creationTime: z.string(), users: z.array(z.string()) });

/**
 * Restores a backup to an empty project in the order that REDCap needs. A restore that was interrupted is gone on with:
 * every step can be repeated. The title of the project stays.
 *
 * @throws {UsageError} the project is not empty, in production, or lacks the missing data codes of the backup
 * @throws {CliError} a part of the backup is not whole, or an event has another unique name in the project
 */
export async function restore(
  client: CrfClient,
  folder: BackupFolder,
  options: BackupRun,
): Promise<Restored> {
  const { onProgress } = options;
  for (const part of folder.manifest?.parts ?? [])
    if (!(await folder.isWhole(part)))
      throw new CliError(`${part.path} is not as it was written. Nothing was restored.`);
  const keptUsers = await begin(client, folder);

  onProgress('design', 0);
  const { title: _title, ...settings } = settingsOf(await folder.readText('info.json'));
  await client.project.putInfo(settings);
  const fields = await folder.readJson('dictionary.json', StoredDictionary);
  await client.fields.put(fields);
  for (const name of ['arms', 'events', 'mappings', 'repeating'] as const) await put(client, folder, name);
  await checkEventNames(client, folder);
  const groups = await putGroups(client, folder);

  await putRecords(client, folder, fields, groups, options);
  await putFiles(client, folder, options);
  const notes = await putRepository(client, folder, groups, options);
  onProgress('people', 0);
  await putPeople(client, folder, groups, keptUsers);
  return { groups, keptUsers, notes };
}

/** Ends a restore: the project is not empty any more, and another restore to it is refused. */
export async function endRestore(folder: BackupFolder): Promise<void> {
  await rm(join(folder.path, BEGUN), { force: true });
}

/** @returns the users that the project has before anything is restored */
async function begin(client: CrfClient, folder: BackupFolder): Promise<Set<string>> {
  const info = await client.project.getInfo();
  const before = await folder.readJson('info.json', StoredInfo);
  const { id, creationTime } = info;
  const begun = await folder.readJson(BEGUN, Begun).catch(() => undefined);
  if (begun !== undefined && begun.id === id && begun.creationTime === creationTime)
    return new Set(begun.users);
  if (info.isInProduction)
    throw new UsageError(
      'The project is in production, where its design cannot be changed: restore to a new one.',
    );
  const [first] = await client.exportRecords({ limit: 1 });
  if (first !== undefined || (await client.fileRepository.list()).length > 0)
    throw new UsageError('The project is not empty: restore to a new one, such as crf project create makes.');
  if (info.missingDataCodes !== before.missingDataCodes)
    throw new UsageError(
      'The project lacks the missing data codes of the backup, which only project XML has: crf project create TITLE --xml project.xml, with the project.xml of the backup.',
    );
  const users = folder.has('users.json') ? (await client.users.list()).map(({ username }) => username) : [];
  const text = JSON.stringify({ id, creationTime, users } satisfies z.infer<typeof Begun>);
  await writeHashed(join(folder.path, BEGUN), toBytes([text]));
  return new Set(users);
}

interface Lists extends Record<ListName, object> {
  readonly dags: DataAccessGroup;
  readonly roles: UserRole;
  readonly 'role-assignments': UserRoleAssignment;
}

/** Returns a list as the client has returned it to the backup, whose digests were checked. */
async function rowsOf<Name extends keyof Lists>(
  folder: BackupFolder,
  name: Name,
): Promise<(Lists[Name] & Row)[]> {
  if (!folder.has(`${name}.json`)) return [];
  return entriesOf(await folder.readText(`${name}.json`), PROJECT_LISTS[name]) as (Lists[Name] & Row)[];
}

async function put(client: CrfClient, folder: BackupFolder, name: keyof DesignLists): Promise<void> {
  const rows = await rowsOf(folder, name);
  if (rows.length > 0) await putList(client, name, rows, { replace: true });
}

/** REDCap makes the names from the labels. Logic, mappings and rows would name other events than in the backup. */
async function checkEventNames(client: CrfClient, folder: BackupFolder): Promise<void> {
  const names = new Set((await client.events.list()).map(({ uniqueName }) => uniqueName));
  const other = (await rowsOf(folder, 'events')).find(({ uniqueName }) => !names.has(String(uniqueName)));
  if (other !== undefined)
    throw new CliError(
      `The event ${String(other.uniqueName)} of the backup has another unique name in this project. Change its label in the project that was backed up, and make the backup again.`,
    );
}

async function putGroups(client: CrfClient, folder: BackupFolder): Promise<Map<string, string>> {
  const rows = await rowsOf(folder, 'dags');
  if (rows.length > 0)
    await putList(
      client,
      'dags',
      rows.map(({ name }) => ({ name })),
    );
  const known = new Map((await client.dags.list()).map(({ name, uniqueName }) => [name, uniqueName]));
  return new Map(rows.map(({ name, uniqueName }) => [uniqueName, known.get(name) ?? '']));
}

async function putRecords(
  client: CrfClient,
  folder: BackupFolder,
  fields: readonly Field[],
  groups: ReadonlyMap<string, string>,
  { signal, onProgress }: BackupRun,
): Promise<void> {
  const left = new Set([
    'redcap_survey_identifier',
    ...fields.map(({ instrument }) => `${instrument}_timestamp`),
    ...fields.filter(({ type }) => ['calc', 'file', 'descriptive'].includes(type)).map(({ name }) => name),
  ]);
  const boxes = fields.filter(({ type }) => type === 'checkbox').map(({ name }) => `${name}___`);
  /** Blank cells and unchecked boxes are what an empty project has. */
  const isStored = (name: string, value: unknown): boolean =>
    value !== '' && !left.has(name) && !(value === '0' && boxes.some((box) => name.startsWith(box)));
  async function* rows(): AsyncGenerator<string> {
    for await (const row of folder.readLines('records.ndjson', StoredRow)) {
      const cells = Object.entries(row)
        .filter(([name, value]) => isStored(name, value))
        .map(([name, value]) => [
          name,
          name === 'redcap_data_access_group' ? groups.get(String(value)) : value,
        ]);
      yield* toLines([Object.fromEntries(cells)]);
    }
  }
  onProgress('records', 0);
  const limits = { recordIdMinLength: 1, limitBytes: Number.MAX_SAFE_INTEGER };
  const source = heard(Readable.from(rows(), { objectMode: false }));
  try {
    await new RecordWriter(client, limits).write(
      source,
      { format: 'ndjson', keepMisfits: true, inputName: 'file' },
      { scope: 'cli' },
      { signal, onRows: (count) => onProgress('records', count) },
    );
  } finally {
    source.destroy(); // closes the file
  }
}

/** @param there the users that the project had before, whose rights stay */
async function putPeople(
  client: CrfClient,
  folder: BackupFolder,
  groups: ReadonlyMap<string, string>,
  there: ReadonlySet<string>,
): Promise<void> {
  if (!folder.has('users.json')) return;
  await put(client, folder, 'roles');
  const before = await rowsOf(folder, 'roles');
  const after = withKnownNames(before, await client.roles.list(), {
    list: 'roles',
    labelOf: ({ label }) => label,
  });
  const roles = new Map(before.map(({ uniqueName }, at) => [uniqueName, after[at]?.uniqueName ?? '']));
  const users = (await rowsOf(folder, 'users')).filter(({ username }) => !there.has(String(username)));
  if (users.length === 0) return;
  await putList(
    client,
    'users',
    users.map((user) => ({ ...user, dag: groups.get(String(user.dag)) ?? '' })),
  );
  const assignments = await rowsOf(folder, 'role-assignments');
  const assigned = assignments
    .filter(({ username, role }) => role !== '' && !there.has(username))
    .map(({ username, role }) => ({ username, role: roles.get(role) ?? '' }));
  if (assigned.length > 0) await client.roleAssignments.put(assigned);
}

/** Uploads the files of records. @throws {CliError} one of them is not whole */
async function putFiles(
  client: CrfClient,
  folder: BackupFolder,
  { signal, onProgress }: BackupRun,
): Promise<void> {
  let done = 0;
  for await (const document of wholeDocuments(folder, 'files.ndjson')) {
    if (document.place === undefined) continue;
    await client.files.put(document.place, uploadOf(folder, document), { signal });
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
async function putRepository(
  client: CrfClient,
  folder: BackupFolder,
  groups: ReadonlyMap<string, string>,
  { signal, onProgress }: BackupRun,
): Promise<string[]> {
  if (!folder.has('folders.json')) return [];
  const ids = new Map<string, number | undefined>([['[]', undefined]]);
  const present = new Map<string, number>();
  const fileKey = (folders: readonly string[] = [], name = ''): string => JSON.stringify([folders, name]);
  await walkRepository(client, signal, ({ kind, id, name }, folders) => {
    if (kind === 'folder') ids.set(JSON.stringify(folders), id);
    else present.set(fileKey(folders, name), (present.get(fileKey(folders, name)) ?? 0) + 1);
  });
  const groupIds = new Map((await client.dags.list()).map(({ uniqueName, id }) => [uniqueName, id]));
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
      await client.fileRepository.put(uploadOf(folder, document), { signal, folder: ids.get(parent) });
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
