import { text } from 'node:stream/consumers';
import { type Operation, read, readList, type Subject, unless } from './operation.js';
import { type Column, columns, shapeDifferences } from './row-shape.js';

const surveyless = ({ project, survey, record }: Subject): string | undefined => {
  if (!project.surveysEnabled) return 'surveys are not enabled';
  if (record === undefined) return 'the project has no record';
  return survey === undefined ? 'no instrument is a survey' : undefined;
};

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

/**
 * Operations that read groups, users, roles, surveys and the log. Survey links and codes are secret and never reported.
 */
export const PEOPLE_READS: readonly Operation[] = [
  readList('dags'),
  readList('dag-assignments'),
  readList('users', ({ length }) => unless(length > 0, 'the project has no user')),
  read(['findUserByEmail', 'user', 'export', '10.3'], async ({ client }) => {
    const email = (await client.users.export()).find((user) => user.email !== '')?.email;
    if (email !== undefined) await client.findUserByEmail(email).catch(ignoreSeveral);
    return [];
  }),
  readList('roles'),
  readList('role-assignments'),
  surveySecret(
    'link',
    'surveyLink',
    /\/surveys\/\?s=\w+$/,
    'the link does not end with /surveys/?s= and a code',
  ),
  surveySecret(
    'queueLink',
    'surveyQueueLink',
    /\/surveys\/\?sq=\w+$/,
    'the link does not end with /surveys/?sq= and a code',
  ),
  surveySecret('returnCode', 'surveyReturnCode', /^[A-Z0-9]{8}$/, 'the code is not 8 capitals and digits'),
  surveySecret('accessCode', 'surveyAccessCode', /^[A-Z0-9]{9}$/, 'the code is not 9 capitals and digits'),
  read(
    ['surveys.participants', 'participantList', 'export', '12', { notFor: surveyless }],
    async ({ client, subject }) => {
      const { instrument, event } = placeOf(subject);
      await client.surveys.participants({ instrument, event });
      return shapeDifferences(client, 'participantList', PARTICIPANT_COLUMNS, {
        instrument,
        ...(event !== undefined && { event }),
      });
    },
  ),
  read(['logs.export', 'log', 'export', '13.2'], async ({ client }) => {
    const { from, to } = aroundNow();
    const entries = await client.logs.export({ from, to });
    return [
      ...unless(
        entries.every(({ timestamp }) => /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(timestamp)),
        'a time has more or less than minutes',
      ),
      ...unless(
        entries.every(({ kind }) => kind !== 'other'),
        'the log has an action whose text is not known',
      ),
      ...(await shapeDifferences(client, 'log', LOG_COLUMNS, { beginTime: from, endTime: to })),
    ];
  }),
  read(['logs.open', 'log', 'export', '13.2'], async ({ client }) => {
    const answer = await text(await client.logs.open(aroundNow()));
    return unless(answer.startsWith('['), 'the log is not a list');
  }),
  read(['logs.stream', 'log', 'export', '13.2'], async ({ client }) => {
    let previous: string | undefined;
    for await (const { timestamp } of client.logs.stream(aroundNow())) {
      if (previous !== undefined && timestamp > previous) return ['the log is not in order, newest first'];
      previous = timestamp;
    }
    return [];
  }),
];

/** An operation that answers a link or a code for one survey of one record. */
function surveySecret(
  method: 'link' | 'queueLink' | 'returnCode' | 'accessCode',
  content: string,
  form: RegExp,
  difference: string,
): Operation {
  const rules = { notFor: surveyless, mayBeRefused: method !== 'link' };
  return read([`surveys.${method}`, content, 'export', '12', rules], async ({ client, subject }) => {
    const place = placeOf(subject);
    const { surveys } = client;
    const answer = await (method === 'queueLink' ? surveys.queueLink(place.record) : surveys[method](place));
    return unless(form.test(answer), difference);
  });
}

function placeOf({ record, survey }: Subject): {
  record: string;
  instrument: string;
  event: string | undefined;
} {
  return { record: record?.id ?? '', instrument: survey ?? '', event: record?.event };
}

/** Ignores the error for an address that several users share, which says nothing about the protocol. */
function ignoreSeveral(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'ambiguous_user') return;
  throw error;
}

/** Returns the range from a day ago to a day ahead: it covers now in every time zone that the server may use. */
function aroundNow(): { readonly from: string; readonly to: string } {
  return { from: minutesFromNow(-24 * 60), to: minutesFromNow(24 * 60) };
}

/** Returns a time relative to now, in UTC. */
function minutesFromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}
