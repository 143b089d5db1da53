import { isDeepStrictEqual } from 'node:util';
import { parseChoices } from '../../domain/dictionary/choices.js';
import { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import {
  type DesignChange,
  dictionaryChanges,
  type FlatRow,
} from '../../domain/dictionary/dictionary-changes.js';
import type { Field } from '../../domain/dictionary/field.js';
import type { ProjectInfo } from '../../gateways/redcap/crf-client.js';
import { ROWS } from '../backup/back-up.js';
import { BackupFolder } from '../backup/backup-folder.js';
import { StoredDictionary, StoredInfo, StoredList, StoredRow } from '../backup/backup-schemas.js';
import { UsageError } from '../cli-error.js';
import { type Answer, defineCommand, subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import { saveFile } from '../files/save-file.js';
import { PROJECT_LISTS } from '../lists.js';
import { type OpenedClient, withClient } from '../open-client.js';
import { confirm } from '../options/confirm.js';
import { choice, flag, needed, text, texts, value } from '../options/option.js';
import {
  completeFileOption,
  ENCODING_OPTION,
  JSON_OPTION,
  refuseBlanks,
  toIds,
  toList,
  YES,
} from '../options/shared-options.js';
import { namesInWords } from '../printing/table.js';
import { withOrphans } from '../../services/design/change-preview.js';
import { changeInWords } from '../printing/design-change.js';

const xmlCommand = subcommand({
  usage: 'xml',
  describe: 'Export the whole project, design and records, as REDCap XML',
  args: {
    'metadata-only': flag('Leave out the records'),
    records: texts('Only these records'),
    fields: texts('Only these fields'),
    events: texts('Only these events'),
    'filter-logic': text('Only records for which this filter logic is true'),
    'export-survey-fields': flag('Add survey identifiers and timestamps'),
    'export-data-access-groups': flag('Add data access groups'),
    'export-files': flag('Add the uploaded files'),
    output: completeFileOption('document'),
    force: flag('Replace FILE'),
  },
  examples: {
    '$0 project xml -o study.REDCap.xml': 'Take a project home',
    '$0 sandbox --xml study.REDCap.xml': 'Work on it offline',
  },
  check: ({ records, fields, events, filterLogic }) => refuseBlanks({ records, fields, events }, filterLogic),
  run: (options, io) => {
    const { output = '-' } = options;
    return saveFile({ ...options, output }, 'project.REDCap.xml', io, async (client, signal) => ({
      name: 'project.REDCap.xml',
      body: await client.project.openXml({
        signal,
        metadataOnly: options.metadataOnly,
        records: toIds(options.records),
        fields: toList(options.fields),
        events: toList(options.events),
        filterLogic: options.filterLogic,
        exportSurveyFields: options.exportSurveyFields,
        exportDataAccessGroups: options.exportDataAccessGroups,
        exportFiles: options.exportFiles,
      }),
    }));
  },
});

const SUPER_TOKEN_RULE = 'CAPTURE_API_TOKEN must be a super token of 64 characters.';

const createCommand = subcommand({
  usage: 'create <title>',
  describe: 'Create a project with a super token and print the new token',
  args: {
    title: needed('Title of the project'),
    purpose: choice(
      '0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support',
      [0, 1, 2, 3, 4],
      { default: 0 },
    ),
    'purpose-other': text('Needed with purpose 1'),
    notes: text('Notes about the project'),
    longitudinal: flag('With events'),
    surveys: flag('With surveys'),
    autonumber: flag('Number the records'),
    xml: value('Project XML with the design and the records, as crf project xml writes it; - for stdin'),
    encoding: { ...ENCODING_OPTION.encoding, implies: 'xml' },
    ...YES,
    ...JSON_OPTION,
  },
  examples: { '$0 project create "Copy of the study" --xml study.REDCap.xml': 'A project from a file' },
  combinations: [{ option: 'xml', not: ['longitudinal', 'surveys', 'autonumber'], why: 'the XML says it' }],
  epilogue: SUPER_TOKEN_RULE,
  run: async (options, io) => {
    const { title, purpose, purposeOther, notes, xml } = options;
    const odm = xml === undefined ? undefined : await readTextFile(xml, io, '--xml', options);
    await confirm(`Make the project ${namesInWords([title])}, and print its token`, options.yes, io);
    return withClient({ ...options, needsProject: true }, io, async ({ client, settings }) => {
      if (settings.capture?.token.reveal().length !== 64) throw new UsageError(SUPER_TOKEN_RULE);
      const token = await client.project.create({
        title,
        purpose,
        purposeOther,
        notes,
        ...(odm === undefined
          ? {
              isLongitudinal: options.longitudinal,
              surveysEnabled: options.surveys,
              recordAutonumberingEnabled: options.autonumber,
            }
          : { odm }),
      });
      io.stderr.write(
        'The token gives access to everything in the project: keep it as safe as the super token.\n',
      );
      return { data: { token }, text: token };
    });
  },
});

/** The word for the project of the token, in place of a folder. */
const THE_PROJECT = 'project';

/** Prints what is different in a second project or backup, and how many values of the first that would orphan. */
const diffCommand = subcommand({
  usage: 'diff <from> [to]',
  describe: 'Compare the designs of two backups, or of a backup and the project of the token',
  args: {
    from: needed('Folder of a backup, or the word project'),
    to: text('Folder of a backup, or the word project', { default: 'project' }),
    ...JSON_OPTION,
  },
  examples: {
    '$0 project diff cohort': 'What has changed since a backup',
    '$0 project diff project test-project': 'What the design of a test project would change here',
  },
  epilogue: 'Beside what is removed stands how many stored values of the first nobody would see any more.',
  run: async ({ from, to, ...options }, io) => {
    const compare = async (opened?: OpenedClient): Promise<Answer> => {
      const [before, after] = [await designOf(from, opened), await designOf(to, opened)];
      const changes = designChanges(before, after);
      const counted = await withOrphans(changes, before.fields, before.rows);
      if (changes.length === 0) io.stderr.write('The designs are the same.\n');
      return {
        data: counted.map(({ text, values = 0, records = 0 }) => ({ change: text, values, records })),
        text: counted.map((change) => `${changeInWords(change)}\n`).join(''),
      };
    };
    return from === THE_PROJECT || to === THE_PROJECT ? withClient(options, io, compare) : compare();
  },
});

type Row = Readonly<Record<string, unknown>>;

const LISTS = ['instruments', 'arms', 'events', 'mappings', 'repeating', 'dags'] as const;
type Lists = Readonly<Record<(typeof LISTS)[number], readonly Row[]>>;

/** The design of a project, and its records. */
interface Design extends Lists {
  readonly info: Pick<ProjectInfo, 'missingDataCodes'>;
  readonly fields: readonly Field[];
  readonly rows: () => AsyncIterable<FlatRow>;
}

async function designOf(place: string, opened: OpenedClient | undefined): Promise<Design> {
  if (place !== THE_PROJECT || opened === undefined) {
    const folder = await BackupFolder.toRead(place);
    return {
      info: await folder.readJson('info.json', StoredInfo),
      fields: await folder.readJson('dictionary.json', StoredDictionary),
      ...(await listsOf((name) => folder.readJson(`${name}.json`, StoredList))),
      rows: () => folder.readLines('records.ndjson', StoredRow),
    };
  }
  const { client } = opened;
  return {
    info: await client.project.getInfo(),
    fields: await client.fields.list(),
    ...(await listsOf((name) =>
      name === 'instruments' ? client.instruments.list() : PROJECT_LISTS[name].list(client),
    )),
    rows: () => client.streamRecords(ROWS),
  };
}

async function listsOf(read: (name: keyof Lists) => Promise<readonly object[]>): Promise<Lists> {
  const lists: Partial<Record<keyof Lists, readonly Row[]>> = {};
  for (const name of LISTS) lists[name] = (await read(name)) as readonly Row[]; // compared, whatever they are
  return lists as Lists;
}

/** What belongs to each project alone, or follows from the rest. */
const OWN: ReadonlySet<string> = new Set([
  'id',
  'title',
  'creationTime',
  'productionTime',
  'isInProduction',
  'hasRepeatingInstrumentsOrEvents',
]);

function designChanges(before: Design, after: Design): DesignChange[] {
  const info = new Map<string, unknown>(Object.entries(before.info));
  const settings = Object.entries(after.info)
    .filter(([name, value]) => !OWN.has(name) && value !== info.get(name))
    .map(([name]) => ({ text: `setting ${name}: changed` }));
  const missing = parseChoices(after.info.missingDataCodes);
  const columns = DataDictionary.of(before.fields).exportColumns(parseChoices(before.info.missingDataCodes));
  /** The stored values of a row in one instrument, or in all, without form statuses. */
  const filled = (row: FlatRow, instrument?: unknown): number =>
    columns.filter(
      ({ name, field, instrument: own }) =>
        (instrument === undefined || own === instrument) &&
        field !== undefined &&
        field.type !== 'calc' &&
        field !== before.fields[0] &&
        (field.type === 'checkbox' ? row[name] === '1' : row[name] !== undefined && row[name] !== ''),
    ).length;
  const isAt = (row: FlatRow, event: unknown): boolean => (row.redcap_event_name ?? '') === event;
  const kept = new Set(after.events.map(({ uniqueName }) => uniqueName));
  const mappings = before.mappings.filter(({ event }) => kept.has(event));
  return [
    ...settings,
    ...listChanges('instrument', ['name'], before.instruments, after.instruments),
    ...listChanges('arm', ['number'], before.arms, after.arms),
    ...listChanges('event', ['uniqueName'], before.events, after.events, ({ uniqueName }, row) =>
      isAt(row, uniqueName) ? filled(row) : 0,
    ),
    ...listChanges('instrument', PLACE, mappings, after.mappings, ({ event, instrument }, row) =>
      isAt(row, event) ? filled(row, instrument) : 0,
    ),
    ...listChanges('repeating', PLACE, before.repeating, after.repeating, (removed, row) => {
      const isInstance = isAt(row, removed.event) && row.redcap_repeat_instrument === removed.instrument;
      return isInstance && Number(row.redcap_repeat_instance) > 1 ? filled(row) : 0;
    }),
    ...listChanges('data access group', ['name'], namesOf(before.dags), namesOf(after.dags)),
    ...dictionaryChanges(before.fields, after.fields, new Set(missing.map(({ code }) => code))),
  ];
}

const PLACE = ['instrument', 'event'];

/** Unique names and numbers of groups are others in every project. */
function namesOf(groups: readonly Row[]): Row[] {
  return groups.map(({ name }) => ({ name }));
}

/**
 * @param key the properties that name an entry
 * @param orphans how many values of a row nobody sees any more without an entry that is removed
 */
function listChanges(
  what: string,
  key: readonly string[],
  before: readonly Row[],
  after: readonly Row[],
  orphans?: (removed: Row, row: FlatRow) => number,
): DesignChange[] {
  const nameOf = (entry: Row): string =>
    key
      .map((property) => entry[property])
      .filter(Boolean)
      .join(' at ');
  const known = new Map(before.map((entry) => [nameOf(entry), entry]));
  const kept = new Set(after.map(nameOf));
  return [
    ...after.flatMap((entry) => {
      const old = known.get(nameOf(entry));
      if (old === undefined) return [{ text: `${what} ${nameOf(entry)}: added` }];
      return isDeepStrictEqual(old, entry) ? [] : [{ text: `${what} ${nameOf(entry)}: changed` }];
    }),
    ...before
      .filter((entry) => !kept.has(nameOf(entry)))
      .map((entry) => ({
        text: `${what} ${nameOf(entry)}: removed`,
        ...(orphans && { orphans: (row: FlatRow) => orphans(entry, row) }),
      })),
  ];
}

export const command = defineCommand({
  subcommands: [xmlCommand, createCommand, diffCommand],
});
