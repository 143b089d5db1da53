import type { SurveyParticipant } from '../gateways/redcap/crf-client.js';
import { ServerTime } from '../services/server-time.js';
import { SurveyService } from '../services/survey-service.js';
import type { GlobalArguments } from './global-arguments.js';
import { withClient, type OpenedClient } from './open-client.js';
import { printRows, type FormArguments } from './print-rows.js';
import type { Column } from './table.js';

export interface SurveyLinkArguments extends GlobalArguments {
  readonly record: string;
  readonly instrument?: string;
  readonly event?: string;
  readonly instance?: number;
  readonly queue: boolean;
}

export interface ParticipantsArguments extends FormArguments {
  readonly instrument: string;
  readonly event?: string;
}

/** A link opens the survey: it is not shown to whoever looks over a shoulder. */
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
export async function printLink(options: SurveyLinkArguments): Promise<void> {
  const { instrument, event, instance } = options;
  const record = String(options.record);
  await withClient(options, async (opened) => {
    const surveys = serviceOf(opened);
    const link =
      instrument === undefined
        ? await surveys.queueLink(record)
        : await surveys.link({ record, instrument, event, repeatInstance: instance });
    process.stdout.write(`${link}\n`);
  });
}

/** `crf survey participants`. */
export async function printParticipants(options: ParticipantsArguments): Promise<void> {
  const { instrument, event } = options;
  await withClient(options, async (opened) => {
    const participants = await serviceOf(opened).participants({ instrument, event });
    printRows(participants, { table: SHOWN, csv: WHOLE }, options);
  });
}

function serviceOf({ client, settings: { values } }: OpenedClient): SurveyService {
  return new SurveyService(client, new ServerTime(values.CAPTURE_TIME_ZONE));
}
