import { text } from 'node:stream/consumers';
import * as document from './document-columns.js';
import { read, unless, type Operation, type Subject } from './operation.js';
import { shapeDifferences } from './row-shape.js';

const surveyless = ({ project, survey, record }: Subject): string | undefined => {
  if (!project.surveysEnabled) return 'surveys are not enabled';
  if (record === undefined) return 'the project has no record';
  return survey === undefined ? 'no instrument is a survey' : undefined;
};

/**
 * Operations that read groups, users, roles, surveys and the log. Survey links and codes are secret and never reported.
 */
export const PEOPLE_READS: readonly Operation[] = [
  read('dags.export', ['dag', 'export'], '10.1', async ({ client }) => {
    await client.dags.export();
    return shapeDifferences(client, 'dag', document.GROUP_COLUMNS);
  }),
  read('dags.exportAssignments', ['userDagMapping', 'export'], '10.2', async ({ client }) => {
    await client.dags.exportAssignments();
    return shapeDifferences(client, 'userDagMapping', document.GROUP_ASSIGNMENT_COLUMNS);
  }),
  read('users.export', ['user', 'export'], '10.3', async ({ client }) => {
    const users = await client.users.export();
    return [
      ...unless(users.length > 0, 'the project has no user'),
      ...(await shapeDifferences(client, 'user', document.USER_COLUMNS)),
    ];
  }),
  read('findUserByEmail', ['user', 'export'], '10.3', async ({ client }) => {
    const email = (await client.users.export()).find((user) => user.email !== '')?.email;
    if (email !== undefined) await client.findUserByEmail(email).catch(ignoreSeveral);
    return [];
  }),
  read('roles.export', ['userRole', 'export'], '10.4', async ({ client }) => {
    await client.roles.export();
    return shapeDifferences(client, 'userRole', document.ROLE_COLUMNS);
  }),
  read('roles.exportAssignments', ['userRoleMapping', 'export'], '10.5', async ({ client }) => {
    await client.roles.exportAssignments();
    return shapeDifferences(client, 'userRoleMapping', document.ROLE_ASSIGNMENT_COLUMNS);
  }),
  read(
    'surveys.link',
    ['surveyLink', 'export'],
    '12',
    async ({ client, subject }) => {
      const link = await client.surveys.link(placeOf(subject));
      return unless(/\/surveys\/\?s=\w+$/.test(link), 'the link does not end with /surveys/?s= and a code');
    },
    { notFor: surveyless },
  ),
  read(
    'surveys.queueLink',
    ['surveyQueueLink', 'export'],
    '12',
    async ({ client, subject }) => {
      const link = await client.surveys.queueLink(placeOf(subject).record);
      return unless(/\/surveys\/\?sq=\w+$/.test(link), 'the link does not end with /surveys/?sq= and a code');
    },
    { notFor: surveyless, mayBeRefused: true },
  ),
  read(
    'surveys.returnCode',
    ['surveyReturnCode', 'export'],
    '12',
    async ({ client, subject }) => {
      const code = await client.surveys.returnCode(placeOf(subject));
      return unless(/^[A-Z0-9]{8}$/.test(code), 'the code is not 8 capitals and digits');
    },
    { notFor: surveyless, mayBeRefused: true },
  ),
  read(
    'surveys.accessCode',
    ['surveyAccessCode', 'export'],
    '12',
    async ({ client, subject }) => {
      const code = await client.surveys.accessCode(placeOf(subject));
      return unless(/^[A-Z0-9]{9}$/.test(code), 'the code is not 9 capitals and digits');
    },
    { notFor: surveyless, mayBeRefused: true },
  ),
  read(
    'surveys.participants',
    ['participantList', 'export'],
    '12',
    async ({ client, subject }) => {
      const { instrument, event } = placeOf(subject);
      await client.surveys.participants({ instrument, event });
      return shapeDifferences(client, 'participantList', document.PARTICIPANT_COLUMNS, {
        instrument,
        ...(event !== undefined && { event }),
      });
    },
    { notFor: surveyless },
  ),
  read('logs.export', ['log', 'export'], '13.2', async ({ client }) => {
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
      ...(await shapeDifferences(client, 'log', document.LOG_COLUMNS, { beginTime: from, endTime: to })),
    ];
  }),
  read('logs.open', ['log', 'export'], '13.2', async ({ client }) => {
    const answer = await text(await client.logs.open(aroundNow()));
    return unless(answer.startsWith('['), 'the log is not a list');
  }),
  read('logs.stream', ['log', 'export'], '13.2', async ({ client }) => {
    let previous: string | undefined;
    for await (const { timestamp } of client.logs.stream(aroundNow())) {
      if (previous !== undefined && timestamp > previous) return ['the log is not in order, newest first'];
      previous = timestamp;
    }
    return [];
  }),
];

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
