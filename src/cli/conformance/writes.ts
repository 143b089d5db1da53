import { buffer } from 'node:stream/consumers';
import type { FileDownload, ImportRow } from '../../gateways/redcap/crf-client.js';
import { DESIGN_LISTS, type DesignLists } from '../../services/design/design-lists.js';
import { PROJECT_LISTS } from '../lists.js';
import {
  classicHasNone,
  type Findings,
  forAll,
  nothingRepeats,
  type Operation,
  type Probe,
  type Subject,
  write,
} from './operation.js';

/** Operations that change records. Each creates its own record and deletes it. */
const RECORD_WRITES: readonly Operation[] = [
  write('importRecords', 'record/import', '5.6', forAll, (probe) =>
    withScratch(probe, async ({ client, subject: { idField } }, row) => {
      const { count } = await client.importRecords([row], { check: false });
      const isFound = await recordExists(probe);
      const { ids } = await client.importRecords([row], { check: false, returnContent: 'ids' });
      return {
        'an import of one record is not counted as one': count === 1,
        'a record that was imported with its id alone is not exported': isFound,
        'returnContent=ids does not answer the id that was sent': ids?.join() === String(row[idField]),
      };
    }),
  ),
  write('importData', 'record/import', '5.4', forAll, (probe) =>
    withScratch(probe, async ({ client, subject }, row) => {
      const names = Object.keys(row);
      const text = `${names.join()}\n${names.map((name) => String(row[name])).join()}\n`;
      const { count } = await client.importData(text, { format: 'csv' });
      return {
        'an import of one line of CSV is not counted as one': count === 1 && subject.idField !== '',
      };
    }),
  ),
  write('importRows', 'record/import', '5.6', forAll, (probe) =>
    withScratch(probe, async ({ client }, row) => ({
      'an import of one row with types is not counted as one': (await client.importRows([row])).count === 1,
    })),
  ),
  write('records.rename', 'record/rename', '6.2', forAll, (probe) =>
    withScratch(probe, async ({ client, scratchRecord }, row) => {
      await client.importRecords([row], { check: false });
      const renamed = `${scratchRecord}-renamed`;
      await client.records.rename(scratchRecord, renamed);
      const isFound = await recordExists({ ...probe, scratchRecord: renamed });
      await client.records.rename(renamed, scratchRecord);
      return { 'a renamed record is not found under its new name': isFound };
    }),
  ),
  write('records.delete', 'record/delete', '6.1', forAll, async (probe) => {
    const { client, scratchRecord } = probe;
    await client.importRecords([scratchRow(probe)], { check: false });
    const count = await client.records.delete([scratchRecord]);
    return {
      'the deletion of one record is not counted as one': count === 1,
      'a deleted record is still exported': !(await recordExists(probe)),
    };
  }),
];

function scratchRow({ subject: { idField, events }, scratchRecord }: Probe): ImportRow {
  const [event] = events;
  return { [idField]: scratchRecord, ...(event && { redcap_event_name: event.uniqueName }) };
}

async function recordExists({ client, subject: { idField }, scratchRecord }: Probe): Promise<boolean> {
  return (await client.exportRecords({ records: [scratchRecord], fields: [idField] })).length > 0;
}

/** Runs an operation with a record that is always deleted afterwards. */
async function withScratch(
  probe: Probe,
  run: (probe: Probe, row: ImportRow) => Promise<Findings>,
): Promise<Findings> {
  try {
    return await run(probe, scratchRow(probe));
  } finally {
    // An error here would hide the original one. The record may not have been created.
    await probe.client.records.delete([probe.scratchRecord]).catch(() => undefined);
  }
}

/** The name of everything that a run creates, so that anything left behind after a failure can be recognized. */
const NAME = 'crf conformance';
const USERNAME = 'crf_conformance';

/** Operations that change design and people. Each writes back existing data, or creates something and deletes it. */
const DESIGN_WRITES: readonly Operation[] = [
  write('project.putInfo', 'project_settings/import', '9.6', forAll, async ({ client, subject }) => {
    const count = await client.project.putInfo({ title: subject.project.title });
    return { 'one setting is not counted as one': count === 1 };
  }),
  write('fields.put', 'metadata/import', '8.8', forAll, async ({ client, subject: { fields } }) => {
    const count = await client.fields.put(fields);
    const after = await client.fields.list();
    return {
      'the fields of the dictionary are not counted': count === fields.length,
      'a dictionary that was written back is another one': JSON.stringify(after) === JSON.stringify(fields),
    };
  }),
  writtenBack('mappings', classicHasNone, 'the mappings are not counted'),
  writtenBack('repeating', nothingRepeats, 'what repeats is not counted'),
  write('arms.put, arms.delete', 'arm/import, delete', '9.1', classicHasNone, async ({ client }) => {
    const number = Math.max(...(await client.arms.list()).map((arm) => arm.number)) + 1;
    const made = await client.arms.put([{ number, name: NAME }]);
    const listed = await client.arms.list();
    const deleted = await client.arms.delete([number]);
    return {
      'one arm is not counted as one': made === 1 && deleted === 1,
      'an arm without events is listed': !listed.some((arm) => arm.number === number),
    };
  }),
  write('events.put, events.delete', 'event/import, delete', '9.2', classicHasNone, async (probe) => {
    const { events } = probe.client;
    const arm = probe.subject.events[0]?.arm ?? 1;
    const made = await events.put([{ label: NAME, arm }]);
    const event = (await events.list()).find(({ label }) => label === NAME);
    const deleted = event === undefined ? 0 : await events.delete([event.uniqueName]);
    return {
      'one event is not counted as one': made === 1 && deleted === 1,
      'the unique name of an event is not made of its label and its arm':
        event?.uniqueName === `crf_conformance_arm_${arm}`,
    };
  }),
  write('dags.put, dags.delete', 'dag/import, delete', '10.1', forAll, async ({ client: { dags } }) => {
    const made = await dags.put([{ name: NAME }]);
    const group = (await dags.list()).find(({ name }) => name === NAME);
    const deleted = group === undefined ? 0 : await dags.delete([group.uniqueName]);
    return {
      'one group is not counted as one': made === 1 && deleted === 1,
      'the unique name of a group is not made of its name': group?.uniqueName === 'crf_conformance',
    };
  }),
  writtenBack('dag-assignments', forAll, 'the users are not counted'),
  write('users.put, users.delete', 'user/import, delete', '10.3', forAll, async ({ client: { users } }) => {
    const made = await users.put([{ username: USERNAME }]);
    const user = (await users.list()).find(({ username }) => username === USERNAME);
    const deleted = await users.delete([USERNAME]);
    return {
      'one user is not counted as one': made === 1 && deleted === 1,
      'a new user is missing, or has a right that nobody gave': user?.rights.design === 0,
    };
  }),
  write('roles.put, roles.delete', 'userRole/import, delete', '10.4', forAll, async ({ client }) => {
    const made = await client.roles.put([{ label: NAME }]);
    const role = (await client.roles.list()).find(({ label }) => label === NAME);
    const deleted = role === undefined ? 0 : await client.roles.delete([role.uniqueName]);
    return {
      'one role is not counted as one': made === 1 && deleted === 1,
      'the unique name of a role is not U- and ten capitals and digits': /^U-[A-Z0-9]{10}$/.test(
        role?.uniqueName ?? '',
      ),
    };
  }),
  writtenBack('role-assignments', forAll, 'the users are not counted'),
];

/** Puts what a list has, of which nothing changes. */
function writtenBack<Name extends keyof DesignLists>(
  name: Name,
  notFor: Operation['notFor'],
  difference: string,
): Operation {
  const [method, content, section] = PROJECT_LISTS[name].source;
  const { read, put } = DESIGN_LISTS[name];
  return write(method.replace('list', 'put'), `${content}/import`, section, notFor, async ({ client }) => {
    const entries = await read(client, {});
    return { [difference]: (await put(client, entries, {})) === entries.length };
  });
}

const fileless = ({ fileField }: Subject): string | undefined =>
  fileField === undefined ? 'the first instrument has no file field at the first event' : undefined;

/** Operations that store files. Each uploads one to the file repository or to its own record, and deletes it. */
export const FILE_WRITES: readonly Operation[] = [
  write(
    'fileRepository.put, fileRepository.get, fileRepository.delete',
    'fileRepository/import, export, delete',
    '11.3',
    forAll,
    (probe) => withDocument(probe, async (id) => cameBack(probe, await probe.client.fileRepository.get(id))),
  ),
  write(
    'fileRepository.info, fileRepository.size',
    'fileinfo, filesize/export',
    '11.2',
    forAll,
    (probe) =>
      withDocument(probe, async (id) => {
        const { id: described, length = BYTES.length } = await probe.client.fileRepository.info(id);
        const size = await probe.client.fileRepository.size(id);
        return {
          'a file is described under another number': described === id,
          'a file has another length': length === BYTES.length && size === BYTES.length,
        };
      }),
    true,
  ),
  write('files.put, files.get, files.delete', 'file/import, export, delete', '11.1', fileless, (probe) =>
    withScratch(probe, async ({ client, subject: { fileField = '' }, scratchRecord }, row) => {
      await client.importRecords([row], { check: false });
      const place = { record: scratchRecord, field: fileField, event: row.redcap_event_name?.toString() };
      await client.files.put(place, fileOf(probe));
      const found = await cameBack(probe, await client.files.get(place));
      await client.files.delete(place);
      return found;
    }),
  ),
];

const BYTES = Buffer.from('made by crf conformance\n');

/** A file with a name of this run alone, so that two runs at once do not delete each other's file. */
function fileOf({ scratchRecord }: Probe) {
  return { name: `${scratchRecord}.txt`, contentType: 'text/plain', bytes: [BYTES] };
}

async function cameBack(probe: Probe, { name, body }: FileDownload) {
  const bytes = await buffer(body);
  return {
    'a file comes back under another name': name === fileOf(probe).name,
    'a file comes back with other bytes': bytes.equals(BYTES),
  };
}

/** Runs an operation with a file of the file repository that is always deleted afterwards. */
async function withDocument(
  probe: Probe,
  run: (id: number) => Promise<Readonly<Record<string, boolean>>>,
): Promise<Findings> {
  const { fileRepository } = probe.client;
  await fileRepository.put(fileOf(probe));
  const id = await documentOf(probe);
  if (id === undefined) return ['a file that was uploaded is not listed'];
  const found = await run(id).finally(() => fileRepository.delete(id));
  return { ...found, 'a file that was deleted is still listed': (await documentOf(probe)) === undefined };
}

async function documentOf(probe: Probe): Promise<number | undefined> {
  const entries = await probe.client.fileRepository.list();
  return entries.find(({ kind, name }) => kind === 'file' && name === fileOf(probe).name)?.id;
}

/** All operations that write, in the order in which they are tried. */
export const WRITES: readonly Operation[] = [...RECORD_WRITES, ...DESIGN_WRITES, ...FILE_WRITES];
