import type { SurveyParticipant } from '../../gateways/redcap/crf-client.js';
import { ServerTime } from '../../domain/dictionary/server-time.js';
import { surveyParticipants } from '../../services/survey-participants.js';
import { defineCommand, subcommand, type Subcommand } from '../command.js';
import { needed, number, text } from '../options/option.js';
import { checkWholeNumbers, JSON_OPTION, MAX_INSTANCE, ROW_OPTIONS } from '../options/shared-options.js';
import { type Column, columnsOf, printRows } from '../printing/table.js';

const record = needed('Record of the participant');
const instrument = needed('The survey');
const event = text('Event; required in longitudinal projects');

const place = {
  record,
  instrument,
  event,
  instance: number('Repeat instance; default: 1'),
  ...JSON_OPTION,
} as const;

/** The table has no links or access codes, since they give access to the survey. */
const SHOWN: readonly Column<SurveyParticipant>[] = [
  ...columnsOf<SurveyParticipant>('email', 'identifier', 'record'),
  { title: 'invited', cell: ({ isInvitationSent }) => (isInvitationSent ? 'yes' : '') },
  { title: 'invitation', cell: ({ invitationSentAt }) => invitationSentAt },
  ...columnsOf<SurveyParticipant>('response'),
];

const WHOLE: readonly Column<SurveyParticipant>[] = [
  ...SHOWN,
  { title: 'access_code', cell: ({ accessCode }) => accessCode },
  { title: 'link', cell: ({ link }) => link },
];

/** A command that prints something about one survey of one record. */
function ofOneSurvey(
  name: string,
  method: 'getLink' | 'getReturnCode' | 'getAccessCode',
  describe: string,
): Subcommand {
  return subcommand({
    usage: `${name} <record> <instrument>`,
    describe,
    args: place,
    check: (values) => checkWholeNumbers(values, { '--instance': MAX_INSTANCE }),
    // yargs parses a numeric record ID as a number.
    reads: async ({ client }, { record, instrument, event, instance }) => {
      const text = await client.surveys[method]({ record: String(record), instrument, event, instance });
      return { data: { [method === 'getLink' ? 'link' : 'code']: text }, text };
    },
  });
}

const queueLinkCommand = subcommand({
  usage: 'queue-link <record>',
  describe: 'Print the link to all surveys that wait for a participant; keep it as you keep a password',
  args: { record, ...JSON_OPTION },
  reads: async ({ client }, { record }) => {
    const link = await client.surveys.getQueueLink(String(record));
    return { data: { link }, text: link };
  },
});

const participantsCommand = subcommand({
  usage: 'participants <instrument>',
  describe: 'List the participants of a survey; links and codes only with --json or --csv',
  args: { instrument, event, ...ROW_OPTIONS },
  reads: async ({ client, settings: { project } }, options, io) => {
    const { instrument, event } = options;
    const time = new ServerTime(project.timeZone);
    const participants = await surveyParticipants(client, time, { instrument, event });
    printRows(participants, SHOWN, options, io, WHOLE);
  },
});

export const command = defineCommand({
  subcommands: [
    ofOneSurvey(
      'link',
      'getLink',
      'Print the link by which a participant fills in a survey; keep it as you keep a password',
    ),
    queueLinkCommand,
    ofOneSurvey(
      'return-code',
      'getReturnCode',
      'Print the code with which a participant returns to a saved survey',
    ),
    ofOneSurvey(
      'access-code',
      'getAccessCode',
      'Print the code that opens a survey where it is typed in (REDCap 15 and later)',
    ),
    participantsCommand,
  ],
});
