import { isDeepStrictEqual } from 'node:util';
import type { Field } from '../../domain/dictionary/field.js';
import { isProblem } from '../../domain/errors/problem-error.js';
import type { CrfClient, ProjectInfo, RecordRow } from '../../gateways/redcap/crf-client.js';
import { settingsOf } from '../commands/info.js';
import { entriesOf, type ListName, PROJECT_LISTS, type Row } from '../lists.js';
import { ROWS, walkRepository } from './back-up.js';
import { type BackupFolder, digestOf } from './backup-folder.js';
import { StoredDictionary, StoredDocument, StoredRow } from './backup-schemas.js';
import type { Restored } from './restore.js';

/** What of a project is not as in the backup: `records: 7 (visit_1_arm_1): age, sex`. */
type OnDifference = (difference: string) => void;

/** What is not as in the backup, and cannot be. */
interface Unavoidable {
  /** Calculated values that are now others, since REDCap calculates when it stores. */
  readonly recalculated: number;
  /** Timestamps and identifiers of surveys in the backup, which REDCap does not take back. */
  readonly notTaken: number;
}

/**
 * Reads a restored project back and compares it with the backup: settings, design, people, every cell, and the bytes of
 * every file.
 */
export async function compareRestored(
  client: CrfClient,
  folder: BackupFolder,
  { groups, keptUsers }: Restored,
  onDifference: OnDifference,
  signal: AbortSignal,
): Promise<Unavoidable> {
  const groupOf = (name: unknown): string => groups.get(String(name)) ?? '';
  const compare = (part: string, keyOf: (row: Row) => unknown, before: unknown, after: unknown): void =>
    compareLists(part, keyOf, before as Row[], after as Row[], onDifference);
  const stored = async (name: ListName): Promise<Row[]> =>
    folder.has(`${name}.json`) ? entriesOf(await folder.readText(`${name}.json`), PROJECT_LISTS[name]) : [];
  const now = async (name: ListName): Promise<Row[]> =>
    entriesOf(JSON.stringify(await PROJECT_LISTS[name].list(client)), PROJECT_LISTS[name]);

  const settings = settingsOf(await folder.readText('info.json'));
  const info: ProjectInfo = await client.project.getInfo({ signal });
  for (const name of Object.keys(settings) as (keyof typeof settings)[])
    if (name !== 'title' && settings[name] !== info[name]) onDifference(`settings: ${name}`);
  const fields = await folder.readJson('dictionary.json', StoredDictionary);
  client.clearCache();
  compare('dictionary', ({ name }) => name, fields, await client.fields.list({ signal }));
  for (const name of ['arms', 'events', 'mappings', 'repeating'] as const)
    compare(name, (row) => Object.values(row).join(' '), await stored(name), await now(name));
  const names = (rows: Row[]): Row[] => rows.map(({ name }) => ({ name }));
  compare('dags', ({ name }) => name, names(await stored('dags')), names(await now('dags')));
  if (folder.has('users.json')) {
    const unnamed = (rows: Row[]): Row[] => rows.map(({ uniqueName: _, ...role }) => role);
    compare('roles', ({ label }) => label, unnamed(await stored('roles')), unnamed(await now('roles')));
    const restored = (rows: Row[]): Row[] => rows.filter(({ username }) => !keptUsers.has(String(username)));
    const users = restored(await stored('users')).map((user) => ({ ...user, dag: groupOf(user.dag) }));
    compare('users', ({ username }) => username, users, restored(await now('users')));
    const roles = (rows: Row[]): Row[] =>
      restored(rows).map(({ username, roleLabel }) => ({ username, roleLabel }));
    const [rolesBefore, rolesNow] = [await stored('role-assignments'), await now('role-assignments')];
    compare('role-assignments', ({ username }) => username, roles(rolesBefore), roles(rolesNow));
  }
  const before = mapped(folder.readLines('records.ndjson', StoredRow), groupOf);
  const counted = await compareRows(before, client.streamRecords({ ...ROWS, signal }), fields, onDifference);
  await compareFiles(client, folder, onDifference, signal);
  return counted;
}

function compareLists(
  part: string,
  keyOf: (row: Row) => unknown,
  before: readonly Row[],
  after: readonly Row[],
  onDifference: OnDifference,
): void {
  const left = new Map(after.map((row) => [String(keyOf(row)), row]));
  for (const row of before) {
    const key = String(keyOf(row));
    const other = left.get(key);
    left.delete(key);
    if (other === undefined) onDifference(`${part}: ${key} is absent`);
    else if (!isDeepStrictEqual({ ...row }, { ...other })) onDifference(`${part}: ${key} differs`);
  }
  for (const key of left.keys()) onDifference(`${part}: ${key} is too much`);
}

async function* mapped(
  rows: AsyncIterable<RecordRow>,
  groupOf: (name: unknown) => string,
): AsyncGenerator<RecordRow> {
  for await (const row of rows) {
    const group = row.redcap_data_access_group;
    yield group === undefined ? row : { ...row, redcap_data_access_group: groupOf(group) };
  }
}

/**
 * Compares two exports row by row. Rows that are at other positions wait for each other; exports in the same order need
 * no memory.
 */
async function compareRows(
  before: AsyncIterable<RecordRow>,
  after: AsyncIterable<RecordRow>,
  fields: readonly Field[],
  onDifference: OnDifference,
): Promise<Unavoidable> {
  const isIgnored = new Set([
    'redcap_survey_identifier',
    ...fields.map(({ instrument }) => `${instrument}_timestamp`),
  ]);
  const isCalculated = new Set(fields.filter(({ type }) => type === 'calc').map(({ name }) => name));
  const idField = fields[0]?.name ?? '';
  const placeOf = (row: RecordRow): string[] =>
    [idField, 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'].map((name) =>
      String(row[name] ?? ''),
    );
  const nameOf = (row: RecordRow): string => placeOf(row).filter(Boolean).join(' ');
  let [recalculated, notTaken] = [0, 0];
  const compare = (one: RecordRow, other: RecordRow): void => {
    const columns = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (name) => !isIgnored.has(name) && String(one[name] ?? '') !== String(other[name] ?? ''),
    );
    const changed = columns.filter((name) => !isCalculated.has(name));
    for (const name of isIgnored) if (String(one[name] ?? '') !== '') notTaken++;
    recalculated += columns.length - changed.length;
    if (changed.length > 0) onDifference(`records: ${nameOf(one)}: ${changed.join(', ')}`);
  };
  const sides = [before, after].map((rows) => ({
    rows: rows[Symbol.asyncIterator](),
    waiting: new Map<string, RecordRow>(),
  }));
  const open = new Set(sides);
  try {
    while (open.size > 0) {
      for (const side of open) {
        const next = await side.rows.next();
        if (next.done === true) {
          open.delete(side);
          continue;
        }
        const key = JSON.stringify(placeOf(next.value));
        const partner = sides.find((other) => other !== side)?.waiting;
        const other = partner?.get(key);
        if (other === undefined) side.waiting.set(key, next.value);
        else compare(next.value, other);
        partner?.delete(key);
      }
    }
  } finally {
    for (const { rows } of sides) await rows.return?.();
  }
  for (const [at, { waiting }] of sides.entries())
    for (const row of waiting.values())
      onDifference(`records: ${nameOf(row)} is ${at === 0 ? 'absent' : 'too much'}`);
  return { recalculated, notTaken };
}

/** Reads every file back. What cannot be restored has been said before. */
async function compareFiles(
  client: CrfClient,
  folder: BackupFolder,
  onDifference: OnDifference,
  signal: AbortSignal,
): Promise<void> {
  for await (const { place, sha256 } of folder.readLines('files.ndjson', StoredDocument)) {
    if (place === undefined) continue;
    const { record, event, instance, field } = place;
    const where = [record, event, instance].filter(Boolean).join(' ');
    const file = await client.files.get(place, { signal }).catch((error: unknown) => {
      if (isProblem(error, 'file_not_found')) return undefined;
      throw error;
    });
    if (file === undefined || (await digestOf(file.body)) !== sha256)
      onDifference(`files: ${where}: ${field} ${file === undefined ? 'is absent' : 'differs'}`);
  }
  if (!folder.has('folders.json')) return;
  const there = new Map<string, number[]>();
  const keyOf = (folders: readonly string[] = [], name = ''): string => JSON.stringify([...folders, name]);
  await walkRepository(client, signal, ({ kind, id, name }, folders) => {
    if (kind === 'file') there.set(keyOf(folders, name), [...(there.get(keyOf(folders, name)) ?? []), id]);
  });
  for await (const { folders, name, sha256 } of folder.readLines('repository.ndjson', StoredDocument)) {
    const path = [...(folders ?? []), name].join('/');
    const id = there.get(keyOf(folders, name))?.shift();
    if (id === undefined) onDifference(`repository: ${path} is absent`);
    else if ((await digestOf((await client.fileRepository.get(id, { signal })).body)) !== sha256)
      onDifference(`repository: ${path} differs`);
  }
}
