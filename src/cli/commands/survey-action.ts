import type { CrfClient, SurveyParticipant, SurveyPlace } from '../../gateways/redcap/crf-client.js';
import { ServerTime } from '../../services/server-time.js';
import { surveyParticipants } from '../../services/survey-participants.js';
import type { ParticipantsArguments, SurveyPlaceArguments } from './survey.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { withClient } from '../open-client.js';
import { printRows } from '../printing/print-rows.js';
import type { Column } from '../printing/table.js';

/** The table has no links or access codes, since they give access to the survey. */
const SHOWN: readonly Column<SurveyParticipant>[] = [
  { title: 'email', cell: ({ email }) => email },
  { title: 'identifier', cell: ({ identifier }) => identifier },
  { title: 'record', cell: ({ record }) => record },
  { title: 'invited', cell: ({ isInvitationSent }) => (isInvitationSent ? 'yes' : '') },
  { title: 'invitation', cell: ({ invitationSentAt }) => invitationSentAt },
  { title: 'response', cell: ({ response }) => response },
];

const WHOLE: readonly Column<SurveyParticipant>[] = [
  ...SHOWN,
  { title: 'access_code', cell: ({ accessCode }) => accessCode },
  { title: 'link', cell: ({ link }) => link },
];

/** `crf survey link`. */
export async function printLink(options: SurveyPlaceArguments): Promise<void> {
  await printOne(options, (surveys) => surveys.link(placeOf(options)));
}

/** `crf survey queue-link`. */
export async function printQueueLink(options: GlobalArguments & { readonly record: string }): Promise<void> {
  await printOne(options, (surveys) => surveys.queueLink(String(options.record)));
}

/** `crf survey return-code`. */
export async function printReturnCode(options: SurveyPlaceArguments): Promise<void> {
  await printOne(options, (surveys) => surveys.returnCode(placeOf(options)));
}

/** `crf survey access-code`. */
export async function printAccessCode(options: SurveyPlaceArguments): Promise<void> {
  await printOne(options, (surveys) => surveys.accessCode(placeOf(options)));
}

/** `crf survey participants`. */
export async function printParticipants(options: ParticipantsArguments): Promise<void> {
  const { instrument, event } = options;
  await withClient(options, async ({ client, settings: { project } }) => {
    const time = new ServerTime(project.timeZone);
    const participants = await surveyParticipants(client, time, { instrument, event });
    printRows(participants, { table: SHOWN, csv: WHOLE }, options);
  });
}

async function printOne(
  options: GlobalArguments,
  ask: (surveys: CrfClient['surveys']) => Promise<string>,
): Promise<void> {
  await withClient(options, async ({ client }) => {
    process.stdout.write(`${await ask(client.surveys)}\n`);
  });
}

function placeOf({ record, instrument, event, instance }: SurveyPlaceArguments): SurveyPlace {
  // yargs parses a numeric record ID as a number.
  return { record: String(record), instrument, event, repeatInstance: instance };
}
