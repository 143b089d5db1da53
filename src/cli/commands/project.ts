import { isDeepStrictEqual } from 'node:util';
import { parseChoices } from '../../domain/dictionary/choices.js';
import { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import {
  type DesignChange,
  dictionaryChanges,
  type FlatRow,
} from '../../domain/dictionary/dictionary-changes.js';
import type { Field } from '../../domain/dictionary/field.js';
import type {
  Instrument,
  InstrumentEventMapping,
  ProjectInfo,
  RepeatingInstrument,
} from '../../gateways/redcap/crf-client.js';
import { ROWS } from '../backup/back-up.js';
import { BackupFolder } from '../backup/backup-folder.js';
import { StoredDictionary, StoredInfo, StoredList, StoredRow } from '../backup/backup-schemas.js';
import { defineCommand, subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import { saveFile } from '../files/save-file.js';
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
import { changeInWords, orphansOf } from './dictionary.js';

const xmlCommand = subcommand({
  usage: 'xml',
  describe: 'Export the whole project, design and records, as REDCap XML',
  args: {
    'metadata-only': flag('Leave out the records'),
    records: texts('Only these records'),
    fields: texts('Only these fields'),
    events: texts('Only these events'),
    filter: text('Only records for which this filter logic is true'),
    'survey-fields': flag('Add survey identifiers and timestamps'),
    dags: flag('Add data access groups'),
    files: flag('Add the uploaded files'),
    output: completeFileOption('document'),
    force: flag('Replace FILE'),
  },
  examples: {
    '$0 project xml -o study.REDCap.xml': 'Take a project home',
    '$0 sandbox --project study.REDCap.xml': 'Work on it offline',
  },
  check: ({ records, fields, events, filter }) => refuseBlanks({ records, fields, events }, filter),
  run: (options, io) => {
    const { output = '-' } = options;
    return saveFile({ ...options, output }, 'project.REDCap.xml', io, async (client, signal) => ({
      name: 'project.REDCap.xml',
      body: await client.projects.openXml({
        signal,
        metadataOnly: options.metadataOnly,
        records: toIds(options.records),
        fields: toList(options.fields),
        events: toList(options.events),
        filterLogic: options.filter,
        exportSurveyFields: options.surveyFields,
        exportDataAccessGroups: options.dags,
        exportFiles: options.files,
      }),
    }));
  },
});

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
  },
  examples: { '$0 project create "Copy of the study" --xml study.REDCap.xml': 'A project from a file' },
  combinations: [{ option: 'xml', not: ['longitudinal', 'surveys', 'autonumber'], why: 'the XML says it' }],
  epilogue: 'CAPTURE_API_TOKEN must be a super token of 64 characters.',
  run: async (options, io) => {
    const { title, purpose, purposeOther, notes, xml } = options;
    const odm = xml === undefined ? undefined : await readTextFile(xml, io, '--xml', options);
    await confirm(`Make the project ${namesInWords([title])}, and print its token`, options.yes, io);
    await withClient({ ...options, needsProject: true }, io, async ({ client }) => {
      const token = await client.projects.create({
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
      io.stdout.write(`${token}\n`);
      io.stderr.write(
        'The token gives access to everything in the project: keep it as safe as the super token.\n',
      );
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
  run: async ({ from, to, json, ...options }, io) => {
    const print = async (opened?: OpenedClient): Promise<void> => {
      const [before, after] = [await designOf(from, opened), await designOf(to, opened)];
      const changes = designChanges(before, after);
      const orphans = await orphansOf(changes, before.fields, before.rows);
      if (json) {
        const entries = changes.map((change) => {
          const found = orphans.get(change);
          return { change: change.text, values: found?.values ?? 0, records: found?.records.size ?? 0 };
        });
        io.stdout.write(`${JSON.stringify(entries, null, 2)}\n`);
      } else if (changes.length === 0) io.stderr.write('The designs are the same.\n');
      else io.stdout.write(changes.map((change) => `${changeInWords(change, orphans)}\n`).join(''));
    };
    await (from === THE_PROJECT || to === THE_PROJECT ? withClient(options, io, print) : print());
  },
});

type Row = Readonly<Record<string, unknown>>;

/** The design of a project, and its records. */
interface Design {
  readonly info: Pick<ProjectInfo, 'missingDataCodes'>;
  readonly fields: readonly Field[];
  readonly instruments: readonly Instrument[];
  readonly arms: readonly Row[];
  readonly events: readonly Row[];
  readonly mappings: readonly InstrumentEventMapping[];
  readonly repeating: readonly RepeatingInstrument[];
  readonly groups: readonly Row[];
  readonly rows: () => AsyncIterable<FlatRow>;
}

async function designOf(place: string, opened: OpenedClient | undefined): Promise<Design> {
  if (place !== THE_PROJECT || opened === undefined) return designIn(await BackupFolder.toRead(place));
  const { client } = opened;
  return {
    info: await client.getProjectInfo(),
    fields: await client.getMetadata(),
    instruments: await client.instruments.export(),
    arms: rowsOf(await client.arms.export()),
    events: rowsOf(await client.events.export()),
    mappings: await client.instruments.exportEventMappings(),
    repeating: await client.instruments.exportRepeating(),
    groups: rowsOf(await client.dags.export()),
    rows: () => client.streamRecords(ROWS),
  };
}

/** A list of the client as rows that are compared. */
function rowsOf(list: readonly object[]): readonly Row[] {
  return list as readonly Row[];
}

async function designIn(folder: BackupFolder): Promise<Design> {
  const list = async <Entry>(name: string): Promise<Entry[]> =>
    (await folder.readJson(name, StoredList)) as Entry[]; // whose properties are compared, whatever they are
  return {
    info: await folder.readJson('info.json', StoredInfo),
    fields: await folder.readJson('dictionary.json', StoredDictionary),
    instruments: await list('instruments.json'),
    arms: await list('arms.json'),
    events: await list('events.json'),
    mappings: await list('mappings.json'),
    repeating: await list('repeating.json'),
    groups: await list('dags.json'),
    rows: () => folder.readLines('records.ndjson', StoredRow),
  };
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
  const filled = (row: FlatRow, instrument?: string): number =>
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
  return [
    ...settings,
    ...listChanges('instrument', before.instruments, after.instruments, ({ name }) => name),
    ...listChanges('arm', before.arms, after.arms, ({ number }) => String(number)),
    ...listChanges('event', before.events, after.events, ({ uniqueName }) => String(uniqueName), {
      orphans:
        ({ uniqueName }) =>
        (row) =>
          isAt(row, uniqueName) ? filled(row) : 0,
    }),
    ...listChanges(
      'instrument',
      before.mappings.filter(({ uniqueEventName }) => kept.has(uniqueEventName)),
      after.mappings,
      ({ uniqueEventName, instrument }) => `${instrument} at ${uniqueEventName}`,
      {
        orphans:
          ({ uniqueEventName, instrument }) =>
          (row) =>
            isAt(row, uniqueEventName) ? filled(row, instrument) : 0,
      },
    ),
    ...listChanges(
      'repeating',
      before.repeating,
      after.repeating,
      ({ uniqueEventName, instrument }) => [instrument, uniqueEventName].filter(Boolean).join(' at '),
      {
        orphans:
          ({ uniqueEventName, instrument }) =>
          (row) => {
            const isInstance = isAt(row, uniqueEventName) && row.redcap_repeat_instrument === instrument;
            return isInstance && Number(row.redcap_repeat_instance) > 1 ? filled(row) : 0;
          },
      },
    ),
    ...listChanges('data access group', before.groups, after.groups, ({ name }) => String(name), {
      isEqual: () => true,
    }),
    ...dictionaryChanges(before.fields, after.fields, new Set(missing.map(({ code }) => code))),
  ];
}

function listChanges<Entry extends object>(
  what: string,
  before: readonly Entry[],
  after: readonly Entry[],
  nameOf: (entry: Entry) => string,
  {
    orphans,
    isEqual = isDeepStrictEqual,
  }: {
    readonly orphans?: (removed: Entry) => NonNullable<DesignChange['orphans']>;
    readonly isEqual?: (one: Entry, other: Entry) => boolean;
  } = {},
): DesignChange[] {
  const known = new Map(before.map((entry) => [nameOf(entry), entry]));
  const kept = new Set(after.map(nameOf));
  return [
    ...after.flatMap((entry) => {
      const old = known.get(nameOf(entry));
      if (old === undefined) return [{ text: `${what} ${nameOf(entry)}: added` }];
      return isEqual(old, entry) ? [] : [{ text: `${what} ${nameOf(entry)}: changed` }];
    }),
    ...before
      .filter((entry) => !kept.has(nameOf(entry)))
      .map((entry) => ({
        text: `${what} ${nameOf(entry)}: removed`,
        ...(orphans && { orphans: orphans(entry) }),
      })),
  ];
}

export const command = defineCommand({
  subcommands: [xmlCommand, createCommand, diffCommand],
});
