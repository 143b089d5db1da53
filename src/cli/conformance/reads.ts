import { buffer, text } from 'node:stream/consumers';
import { DICTIONARY_COLUMNS } from '../../domain/dictionary/dictionary-csv.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import {
  classicHasNone,
  differencesIn,
  emptyHasNone,
  forAll,
  nothingRepeats,
  type Operation,
  type Probe,
  read,
  readList,
  SMALL_LIMIT,
  type Subject,
} from './operation.js';
import { type Column, columns, rowDifferences, shapeDifferences } from './row-shape.js';

/** @see docs/protocol/redcap.md 8.1 (wire) */
const FIELD_COLUMNS = columns('text', ...DICTIONARY_COLUMNS);

/** @see docs/protocol/redcap.md 8.7 (wire) */
const INSTRUMENT_COLUMNS = columns('text', 'instrument_name', 'instrument_label');

/** @see docs/protocol/redcap.md 9.5 (client) */
const PROJECT_COLUMNS: readonly Column[] = [
  ...columns('number', 'project_id'),
  ...columns('text', 'project_title', 'creation_time', 'production_time'),
  ...columns('number', 'in_production'),
  ...columns('text', 'project_language'),
  ...columns('number', 'purpose'),
  ...columns('any', 'purpose_other', 'project_notes', 'custom_record_label', 'secondary_unique_field'),
  ...columns('number', 'is_longitudinal', 'has_repeating_instruments_or_events', 'surveys_enabled'),
  ...columns('number', 'scheduling_enabled', 'record_autonumbering_enabled', 'randomization_enabled'),
  ...columns('number', 'ddp_enabled'),
  ...columns('any', 'project_irb_number', 'project_grant_number'),
  ...columns('any', 'project_pi_firstname', 'project_pi_lastname', 'project_pi_email?'),
  ...columns('number', 'display_today_now_button'),
  ...columns('any', 'missing_data_codes', 'external_modules'),
  ...columns('number', 'bypass_branching_erase_field_prompt?'),
];

/** @see docs/protocol/redcap.md 12 (client) */
const PARTICIPANT_COLUMNS: readonly Column[] = [
  ...columns('any', 'email'),
  ...columns('number', 'email_occurrence'),
  ...columns('any', 'identifier', 'record'),
  ...columns('number', 'invitation_sent_status'),
  ...columns('any', 'invitation_send_time'),
  ...columns('number', 'response_status'),
  ...columns('any', 'survey_access_code', 'survey_link'),
];

/** @see docs/protocol/redcap.md 13.2 (client) */
const LOG_COLUMNS: readonly Column[] = [
  ...columns('text', 'timestamp', 'username', 'action', 'details'),
  ...columns('any', 'record'),
];

/** Operations that read the design of a project. */
const STRUCTURE_READS: readonly Operation[] = [
  read('getVersion', 'version/export', '13.3', forAll, async ({ client }) => ({
    'the version is not three numbers with dots': /^\d+\.\d+\.\d+$/.test(await client.getVersion()),
  })),
  read('ping', 'version/export', '13.3', forAll, async ({ client }) => {
    await client.ping();
    return [];
  }),
  read('project.getInfo', 'project/export', '9.5', forAll, async ({ client }) => {
    await client.project.getInfo();
    const answer = await client.call('project', {}, undefined, { isRead: true });
    return rowDifferences([answer], PROJECT_COLUMNS);
  }),
  read('fields.list', 'metadata/export', '8.1', forAll, async ({ client }) => {
    await client.fields.list();
    return shapeDifferences(client, 'metadata', FIELD_COLUMNS);
  }),
  readList('export-field-names', forAll, (names, { idField }) => ({
    'the first name is not that of the id field': names[0]?.field === idField,
  })),
  readList('field-validations', forAll, ({ length }) => ({ 'there is no validation': length > 0 })),
  read('instruments.list', 'instrument/export', '8.7', forAll, async ({ client, subject }) => {
    const names = new Set(subject.instruments.map(({ name }) => name));
    return [
      ...differencesIn({
        'a field belongs to no instrument of the list': subject.fields.every(({ instrument }) =>
          names.has(instrument),
        ),
      }),
      ...(await shapeDifferences(client, 'instrument', INSTRUMENT_COLUMNS)),
    ];
  }),
  readList('mappings', classicHasNone),
  readList('repeating', nothingRepeats),
  readList('arms', classicHasNone),
  readList('events', classicHasNone),
];

const undesignated = (subject: Subject): string | undefined =>
  emptyHasNone(subject) ??
  (subject.instrument === undefined
    ? 'no instrument is designated for the event of the first record'
    : undefined);

/** Operations that read records. Values are checked for their type but never reported. */
const RECORD_READS: readonly Operation[] = [
  read('exportRecords', 'record/export', '4.4', emptyHasNone, async ({ client, subject, scratchRecord }) => {
    const { idField, record, project } = subject;
    const records = [record?.id ?? ''];
    const rows = await client.exportRecords({ records });
    // docs/protocol/redcap.md 4.2 (wire, client)
    const first = [
      idField,
      ...(project.isLongitudinal ? ['redcap_event_name'] : []),
      ...(project.hasRepeatingInstrumentsOrEvents
        ? ['redcap_repeat_instrument', 'redcap_repeat_instance']
        : []),
    ];
    // docs/protocol/redcap.md 4.1 (client): unknown names are ignored, and an empty result is not an error
    const unknown = await client.exportRecords({ records: [scratchRecord], fields: [idField] });
    // docs/protocol/redcap.md 20 (wire, client): the instances of an instrument that is not requested have no row
    const ids = await client.exportRecords({ records, fields: [idField] });
    return {
      'a record that is in the project is not exported by its name': rows.length > 0,
      'a value is neither a text nor a repeat instance': rows.every(hasTextsOnly),
      'the columns of a row do not begin with the id, the event and the repeat columns':
        Object.keys(rows[0] ?? {})
          .slice(0, first.length)
          .join() === first.join(),
      'a record that does not exist is exported': unknown.length === 0,
      'an instrument that was not requested has rows': ids.every(
        ({ redcap_repeat_instrument: instrument = '' }) => instrument === '',
      ),
    };
  }),
  read('exportRecords (eav)', 'record/export', '4.5', emptyHasNone, async ({ client, subject }) => {
    const rows = await client.exportRecords({ records: [subject.record?.id ?? ''], type: 'eav' });
    const [names] = rows.map((row) => Object.keys(row));
    return {
      'the first column is not record': names?.[0] === 'record',
      'the last columns are not field_name and value': names?.slice(-2).join() === 'field_name,value',
      'a row has a blank value': rows.every((row) => row.value !== ''),
    };
  }),
  read(
    'openRecords',
    'record/export',
    '1.8',
    emptyHasNone,
    async ({ client, subject: { idField, record } }) => {
      const csv = await text(
        await client.openRecords({ format: 'csv', fields: [idField], records: [record?.id ?? ''] }),
      );
      return {
        'CSV does not begin with the name of the id field': csv.startsWith(idField),
        'lines of CSV end with CR LF': !csv.includes('\r\n'),
        'CSV does not end with a line feed': csv.endsWith('\n'),
      };
    },
  ),
  read('streamRecords', 'record/export', '4.3', forAll, async ({ client, subject: { idField } }) => {
    let count = 0;
    for await (const row of client.streamRecords({ fields: [idField], limit: 5 })) {
      if (typeof row[idField] === 'string') count += 1;
      else return ['the id of a record is not text'];
    }
    return { 'more rows came than were asked for': count <= 5 };
  }),
  read('getRecord', 'record/export', '4.4', emptyHasNone, async ({ client, subject: { record } }) => {
    const document = await client.getRecord(record?.id ?? '');
    return {
      'a record is returned under another name': document.record === record?.id,
      'a record that is in the project has no event': document.events.length > 0,
    };
  }),
  read('rows', 'record/export', '4.4', undesignated, async ({ client, subject }) => {
    const { idField, instrument = '', record } = subject;
    for await (const row of client.rows(instrument, { records: [record?.id ?? ''] }))
      if (row[idField] !== record?.id) return ['a row of an instrument is of another record'];
    return [];
  }),
  read('checkFilterLogic', 'metadata/export', '7', forAll, async ({ client, subject: { idField } }) => ({
    'filter logic over the id field is not understood':
      (await client.checkFilterLogic(`[${idField}] <> ''`)).length === 0,
  })),
  read('records.nextId', 'generateNextRecordName/export', '6.4', forAll, async ({ client }) => ({
    'the next name is blank': (await client.records.nextId()).trim() !== '',
  })),
];

function hasTextsOnly(row: RecordRow): boolean {
  return Object.entries(row).every(
    ([name, value]) =>
      typeof value === 'string' || (name === 'redcap_repeat_instance' && Number.isInteger(value)),
  );
}

const surveyless = ({ project, survey, record }: Subject): string | undefined => {
  if (!project.surveysEnabled) return 'surveys are not enabled';
  if (record === undefined) return 'the project has no record';
  return survey === undefined ? 'no instrument is a survey' : undefined;
};

/**
 * Operations that read groups, users, roles, surveys and the log. Survey links and codes are secret and never reported.
 */
const PEOPLE_READS: readonly Operation[] = [
  readList('dags'),
  readList('dag-assignments'),
  readList('users', forAll, ({ length }) => ({ 'the project has no user': length > 0 })),
  read('findProjectUser', 'user/export', '10.3', forAll, async ({ client }) => {
    const email = (await client.users.list()).find((user) => user.email !== '')?.email;
    if (email !== undefined) await client.findProjectUser(email).catch(ignoreSeveral);
    return [];
  }),
  readList('roles'),
  readList('role-assignments'),
  surveySecret(
    'getLink',
    'surveyLink',
    /\/surveys\/\?s=\w+$/,
    'the link does not end with /surveys/?s= and a code',
  ),
  surveySecret(
    'getQueueLink',
    'surveyQueueLink',
    /\/surveys\/\?sq=\w+$/,
    'the link does not end with /surveys/?sq= and a code',
  ),
  surveySecret('getReturnCode', 'surveyReturnCode', /^[A-Z0-9]{8}$/, 'the code is not 8 capitals and digits'),
  surveySecret('getAccessCode', 'surveyAccessCode', /^[A-Z0-9]{9}$/, 'the code is not 9 capitals and digits'),
  read(
    'surveys.listParticipants',
    'participantList/export',
    '12',
    surveyless,
    async ({ client, subject }) => {
      const { instrument, event } = placeOf(subject);
      await client.surveys.listParticipants({ instrument, event });
      const parameters = { instrument, ...(event !== undefined && { event }) };
      return shapeDifferences(client, 'participantList', PARTICIPANT_COLUMNS, parameters);
    },
  ),
  read('log.list', 'log/export', '13.2', forAll, async ({ client }) => {
    const { from, until } = aroundNow();
    const entries = await client.log.list({ from, until });
    return [
      ...differencesIn({
        'a time has more or less than minutes': entries.every(({ at }) =>
          /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(at),
        ),
        'the log has an action whose text is not known': entries.every(({ action }) => action !== 'other'),
      }),
      ...(await shapeDifferences(client, 'log', LOG_COLUMNS, { beginTime: from, endTime: until })),
    ];
  }),
  read('log.open', 'log/export', '13.2', forAll, async ({ client }) => ({
    'the log is not a list': (await text(await client.log.open(aroundNow()))).startsWith('['),
  })),
  read('log.stream', 'log/export', '13.2', forAll, async ({ client }) => {
    let previous: string | undefined;
    for await (const { at } of client.log.stream(aroundNow())) {
      if (previous !== undefined && at > previous) return ['the log is not in order, newest first'];
      previous = at;
    }
    return [];
  }),
];

/** An operation that answers a link or a code for one survey of one record. */
function surveySecret(
  method: 'getLink' | 'getQueueLink' | 'getReturnCode' | 'getAccessCode',
  content: string,
  form: RegExp,
  difference: string,
): Operation {
  const ask = async ({ client: { surveys }, subject }: Probe) => {
    const place = placeOf(subject);
    const answer = await (method === 'getQueueLink'
      ? surveys.getQueueLink(place.record)
      : surveys[method](place));
    return { [difference]: form.test(answer) };
  };
  return read(`surveys.${method}`, `${content}/export`, '12', surveyless, ask, method !== 'getLink');
}

function placeOf({ record, survey }: Subject) {
  return { record: record?.id ?? '', instrument: survey ?? '', event: record?.event };
}

/** Ignores the error for an address that several users share, which says nothing about the protocol. */
function ignoreSeveral(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'ambiguous_user') return;
  throw error;
}

/** Returns the range from a day ago to a day ahead: it covers now in every time zone that the server may use. */
function aroundNow() {
  const inDays = (days: number): string =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16).replace('T', ' ');
  return { from: inDays(-1), until: inDays(1) };
}

const reportless = ({ report }: Subject): string | undefined =>
  report === undefined ? 'no report was named (--report)' : undefined;

const largeOrEmpty = (subject: Subject): string | undefined =>
  emptyHasNone(subject) ??
  (subject.isSmall ? undefined : `the project has more than ${SMALL_LIMIT} rows of records`);

/** Operations that read documents and the whole design. */
const FILE_READS: readonly Operation[] = [
  read('pdf.get', 'pdf/export', '11.4', forAll, async ({ client }) =>
    isPdf(await buffer((await client.pdf.get()).body)),
  ),
  read('pdf.getAll', 'pdf/export', '11.4', largeOrEmpty, async ({ client }) =>
    isPdf(await buffer((await client.pdf.getAll({ compact: true })).body)),
  ),
  read('project.openXml', 'project_xml/export', '9.8', forAll, async ({ client }) => ({
    'the document has no attributes of REDCap': (
      await text(await client.project.openXml({ metadataOnly: true }))
    ).includes('<redcap:'),
  })),
  read('fileRepository.list', 'fileRepository/list', '11.3', forAll, async ({ client }) => {
    await client.fileRepository.list();
    return [];
  }),
  read('reports.get', 'report/export', '13.1', reportless, async ({ client, subject }) => {
    const rows = await client.reports.get(subject.report ?? 0);
    return {
      'a row of a report does not begin with the record ID': rows.every(
        (row) => Object.keys(row)[0] === subject.idField,
      ),
    };
  }),
  read('reports.open', 'report/export', '13.1', reportless, async ({ client, subject }) => {
    const csv = await text(await client.reports.open(subject.report ?? 0, { format: 'csv' }));
    return {
      'CSV of a report does not begin with the name of the id field':
        csv === '' || csv.startsWith(subject.idField),
    };
  }),
];

function isPdf(bytes: Buffer) {
  return { 'the document is not a PDF': bytes.subarray(0, 5).toString() === '%PDF-' };
}

/** All operations that read, in the order in which they are tried. */
export const READS: readonly Operation[] = [
  ...STRUCTURE_READS,
  ...RECORD_READS,
  ...PEOPLE_READS,
  ...FILE_READS,
];
