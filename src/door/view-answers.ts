import { DICTIONARY_COLUMNS, toDictionaryRow } from '../domain/dictionary/dictionary-csv.js';
import { NotInPolicyError } from '../domain/errors/access-errors.js';
import { type Columns, wireRows } from '../gateways/redcap/contents/answer-values.js';
import { ARM_COLUMNS } from '../gateways/redcap/contents/arms.js';
import type { Contents } from '../gateways/redcap/contents/contents.js';
import { ASSIGNMENT_COLUMNS, DAG_COLUMNS } from '../gateways/redcap/contents/dags.js';
import { EVENT_COLUMNS } from '../gateways/redcap/contents/events.js';
import { FIELD_NAME_COLUMNS, VALIDATION_COLUMNS } from '../gateways/redcap/contents/fields.js';
import {
  INSTRUMENT_COLUMNS,
  MAPPING_COLUMNS,
  REPEATING_COLUMNS,
} from '../gateways/redcap/contents/instruments.js';
import { LOG_TYPES } from '../gateways/redcap/contents/log-types.js';
import { ROLE_ASSIGNMENT_COLUMNS } from '../gateways/redcap/contents/roles.js';
import { PARTICIPANT_COLUMNS, RESPONSES } from '../gateways/redcap/contents/surveys.js';
import { USER_COLUMNS } from '../gateways/redcap/contents/users.js';
import type { FileDownload, FilePlace, SurveyPlace } from '../gateways/redcap/crf-client.js';
import { PROJECT } from '../gateways/redcap/rows.js';
import { type Answer, type Cell, type CsvStyle, listAnswer, type Row } from '../wire/answer.js';
import { ApiFailure, invalidParameter } from '../wire/api-failure.js';
import { CSV_STYLES, HAS_NONE } from '../wire/lists.js';
import type { Parameters } from '../wire/parameters.js';
import { contentTypeOf } from '../wire/write-answer.js';
import type { Pair } from './pairs.js';
import {
  deleteRecords,
  exportRecords,
  exportReport,
  importRecords,
  randomizeRecord,
  renameRecord,
} from './record-answers.js';
import type { Entry, StreamAnswer, ViewCall } from './view-call.js';

/** @throws {NotInPolicyError} no view has it */
const refused: Entry = () => Promise.reject(new NotInPolicyError());

/** Plain text, whatever the format. */
const text = async (answer: Promise<string>): Promise<Answer> => ({ kind: 'text', text: await answer });

/** Returns a list under REDCap's names. REDCap has numbers for what is on or off. */
function list(columns: Columns, rows: readonly object[], csv?: Partial<CsvStyle>): Answer {
  return listAnswer(
    wireRows(columns, rows).map(toRow),
    Object.values(columns).map(([name]) => name),
    csv,
  );
}

function toRow(row: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, Cell][] =>
      value === undefined ? [] : [[name, typeof value === 'boolean' ? Number(value) : (value as Cell)]],
    ),
  );
}

/** The contents of a view: a group of calls that is added needs its entries here, or this does not compile. */
const ENTRIES: { readonly [Name in keyof Contents]: Readonly<Record<string, Entry>> } = {
  arms: {
    'arm/export': async (call) =>
      list(ARM_COLUMNS, await call.calls.arms.list(await ofArms(call, HAS_NONE.arm)), CSV_STYLES.arm),
    'arm/import': refused,
    'arm/delete': refused,
  },
  events: {
    'event/export': async (call) => {
      const events = await call.calls.events.list(await ofArms(call, HAS_NONE.event));
      const { schedulingEnabled } = await call.calls.project.getInfo(call.options);
      const { dayOffset: _day, offsetMin: _min, offsetMax: _max, ...others } = EVENT_COLUMNS;
      return list(schedulingEnabled ? EVENT_COLUMNS : others, events);
    },
    'event/import': refused,
    'event/delete': refused,
  },
  instruments: {
    'instrument/export': async ({ calls, options }) =>
      list(INSTRUMENT_COLUMNS, await calls.instruments.list(options), CSV_STYLES.instrument),
  },
  mappings: {
    'formEventMapping/export': async (call) =>
      list(
        MAPPING_COLUMNS,
        await call.calls.mappings.list(await ofArms(call, HAS_NONE.formEventMapping)),
        CSV_STYLES.formEventMapping,
      ),
    'formEventMapping/import': refused,
  },
  repeating: {
    'repeatingFormsEvents/export': async ({ calls, options }) => {
      const places = await calls.repeating.list(options);
      if (places.length === 0) throw new ApiFailure(400, HAS_NONE.repeatingFormsEvents);
      const { event, ...others } = REPEATING_COLUMNS;
      const { isLongitudinal } = await calls.project.getInfo(options);
      return list(isLongitudinal ? { event, ...others } : others, places, CSV_STYLES.repeatingFormsEvents);
    },
    'repeatingFormsEvents/import': refused,
  },
  fields: {
    'metadata/export': async ({ parameters, calls, options }) => {
      const [fields, forms] = [parameters.list('fields'), parameters.list('forms')];
      const found = await calls.fields.list({ ...options, fields, forms });
      return listAnswer(found.map(toDictionaryRow), DICTIONARY_COLUMNS);
    },
    'metadata/import': refused,
  },
  exportFieldNames: {
    exportFieldNames: async ({ parameters, calls, options }) => {
      const [field] = parameters.list('field') ?? [];
      return list(FIELD_NAME_COLUMNS, await calls.exportFieldNames.list({ ...options, field }));
    },
  },
  fieldValidations: {
    'fieldValidation/export': async ({ calls, options }) =>
      list(VALIDATION_COLUMNS, await calls.fieldValidations.list(options)),
  },
  project: {
    'project/export': async ({ calls, options }) => {
      const [row = {}] = wireRows(PROJECT, [await calls.project.getInfo(options)]);
      return { kind: 'object', row: toRow(row) };
    },
    'project_settings/import': refused,
    'project_xml/export': refused,
  },
  dags: {
    'dag/export': async ({ calls, options }) => list(DAG_COLUMNS, await calls.dags.list(options)),
    'dag/import': refused,
    'dag/delete': refused,
  },
  dagAssignments: {
    'userDagMapping/export': async ({ calls, options }) =>
      list(ASSIGNMENT_COLUMNS, await calls.dagAssignments.list(options)),
    'userDagMapping/import': refused,
  },
  users: {
    'user/export': async ({ calls, options }) => list(USER_COLUMNS, await calls.users.list(options)),
    'user/import': refused,
    'user/delete': refused,
  },
  roles: {
    'userRole/export': async ({ calls, options }) =>
      listAnswer(
        (await calls.roles.list(options)).map(() => ({})),
        ['unique_role_name', 'role_label'],
      ),
    'userRole/import': refused,
    'userRole/delete': refused,
  },
  roleAssignments: {
    'userRoleMapping/export': async ({ calls, options }) =>
      list(ROLE_ASSIGNMENT_COLUMNS, await calls.roleAssignments.list(options)),
    'userRoleMapping/import': refused,
  },
  records: {
    'record/export': exportRecords,
    'record/import': importRecords,
    'record/delete': deleteRecords,
    'record/rename': renameRecord,
    'record/randomize': randomizeRecord,
    generateNextRecordName: ({ calls, options }) => text(calls.records.nextId(options)),
  },
  reports: { 'report/export': exportReport },
  log: {
    'log/export': async ({ parameters, calls, options }) => {
      const type = LOG_TYPES.find((each) => each === parameters.text('logtype'));
      if (type === undefined && parameters.text('logtype') !== '') throw invalidParameter('logtype');
      const given = (name: string): string | undefined => parameters.text(name) || undefined;
      const entries = await calls.log.list({
        ...options,
        ...(type && { type }),
        user: given('user'),
        record: given('record'),
        dag: await dagNamed(given('dag'), { calls, options }),
        from: minuteIn(parameters, 'beginTime'),
        until: minuteIn(parameters, 'endTime'),
      });
      return listAnswer(
        entries.map(({ at, user, actionText, details, record = '' }) => ({
          timestamp: at,
          username: user,
          action: actionText,
          details,
          record,
        })),
        ['timestamp', 'username', 'action', 'details', 'record'],
      );
    },
  },
  files: {
    'file/export': async (call) =>
      fileAnswer(await call.calls.files.get(filePlace(call.parameters), call.options)),
    'file/import': async (call) => {
      const { file } = call.sent;
      if (file === undefined) throw invalidParameter('file');
      await call.calls.files.put(filePlace(call.parameters), file, call.options);
      return { kind: 'text', text: '' };
    },
    'file/delete': async (call) => {
      await call.calls.files.delete(filePlace(call.parameters), call.options);
      return { kind: 'text', text: '' };
    },
  },
  fileRepository: Object.fromEntries(
    ['list', 'createFolder', 'export', 'import', 'delete']
      .map((action) => `fileRepository/${action}`)
      .concat('fileinfo/export', 'filesize/export')
      .map((name) => [name, refused]),
  ),
  pdf: {
    'pdf/export': async ({ parameters, calls, options }) => {
      const compact = parameters.has('compactDisplay') ? parameters.flag('compactDisplay') : undefined;
      if (parameters.has('allRecords')) await calls.pdf.getAll({ ...options, compact });
      const [record, instrument] = [parameters.text('record'), parameters.text('instrument')];
      const selection = {
        ...(record !== '' && { record }),
        ...(instrument !== '' && { instrument }),
        ...(compact !== undefined && { compact }),
        ...placeIn(parameters),
      };
      const { body } = await calls.pdf.get(selection, options);
      // REDCap declares it as HTML. @see docs/protocol/redcap.md 20 (client)
      return { kind: 'stream', type: contentTypeOf('text/html', undefined), body };
    },
  },
  surveys: {
    'surveyLink/export': ({ parameters, calls, options }) =>
      text(calls.surveys.getLink(surveyPlace(parameters), options)),
    'surveyQueueLink/export': ({ parameters, calls, options }) =>
      text(calls.surveys.getQueueLink(parameters.text('record'), options)),
    'surveyReturnCode/export': ({ parameters, calls, options }) =>
      text(calls.surveys.getReturnCode(surveyPlace(parameters), options)),
    'surveyAccessCode/export': ({ parameters, calls, options }) =>
      text(calls.surveys.getAccessCode(surveyPlace(parameters), options)),
    'participantList/export': async ({ parameters, calls, options }) => {
      const participants = await calls.surveys.listParticipants(surveyOf(parameters), options);
      const rows = participants.map((each) => ({ ...each, response: RESPONSES.indexOf(each.response) }));
      return list(PARTICIPANT_COLUMNS, rows);
    },
  },
};

const BY_PAIR: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ...Object.values(ENTRIES).flatMap((entries) => Object.entries(entries)),
  ['version', ({ calls, options }: ViewCall) => text(calls.getVersion(options))],
]);

/** Whether a view has the pair, so that its policy decides what it answers: docs/reference/coverage.md. */
export function isInViews(pair: string): boolean {
  return (BY_PAIR.get(pair) ?? refused) !== refused;
}

/**
 * Answers a call from the view of its caller.
 *
 * @throws {ApiFailure} 400: there is no such content or action
 * @throws {CrfError} what the call of the view throws
 */
export async function viewAnswer({ content, name }: Pair, call: ViewCall): Promise<Answer | StreamAnswer> {
  const entry = name === undefined ? undefined : BY_PAIR.get(name);
  if (entry !== undefined) return entry(call);
  const isContent = [...BY_PAIR.keys()].some((pair) => pair.split('/')[0] === content);
  throw invalidParameter(isContent ? 'action' : 'content');
}

/** @throws {ApiFailure} 400 with the sentence, if the project has no events */
async function ofArms({ parameters, calls, options }: ViewCall, sentence: string) {
  if (!(await calls.project.getInfo(options)).isLongitudinal) throw new ApiFailure(400, sentence);
  // What is no number is the number of no arm.
  const arms = parameters.list('arms')?.map((arm) => (/^[1-9]\d{0,8}$/.test(arm) ? Number(arm) : 0));
  return { ...options, arms };
}

/** REDCap takes the number of a group or its unique name, and every entry for a group that is not there. */
async function dagNamed(
  dag: string | undefined,
  { calls, options }: Pick<ViewCall, 'calls' | 'options'>,
): Promise<string | undefined> {
  if (dag === undefined) return undefined;
  const groups = await calls.dags.list(options);
  return groups.find(({ id, uniqueName }) => uniqueName === dag || String(id) === dag)?.uniqueName;
}

/** A day without a time is its first minute. @see docs/protocol/redcap.md 20 (client) */
function minuteIn(parameters: Parameters, name: string): string | undefined {
  const time = parameters.text(name);
  if (time === '') return undefined;
  if (!/^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/.test(time)) throw invalidParameter(name);
  return time.length === 10 ? `${time} 00:00` : time.slice(0, 16);
}

function placeIn(parameters: Parameters): { readonly event?: string; readonly instance?: number } {
  const [event, instance] = [parameters.text('event'), parameters.text('repeat_instance')];
  if (instance !== '' && !/^[1-9]\d{0,4}$/.test(instance)) throw invalidParameter('repeat_instance');
  return { ...(event !== '' && { event }), ...(instance !== '' && { instance: Number(instance) }) };
}

function filePlace(parameters: Parameters): FilePlace {
  const record = parameters.text('record');
  if (record === '') throw invalidParameter('record');
  return { record, field: parameters.text('field'), ...placeIn(parameters) };
}

function surveyPlace(parameters: Parameters): SurveyPlace {
  return { ...surveyOf(parameters), ...placeIn(parameters), record: parameters.text('record') };
}

function surveyOf(parameters: Parameters): Pick<SurveyPlace, 'instrument' | 'event'> {
  const event = parameters.text('event');
  return { instrument: parameters.text('instrument'), ...(event !== '' && { event }) };
}

function fileAnswer({ name, contentType, body }: FileDownload): StreamAnswer {
  const [type = ''] = contentType.split(';', 1);
  return { kind: 'stream', type: contentTypeOf(type, name), body };
}
