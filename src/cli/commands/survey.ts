import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { ROW_OPTIONS } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INSTANCE } from '../options/whole-number.js';

const record = { type: 'string', demandOption: true, describe: 'Record of the participant' } as const;
const instrument = { type: 'string', demandOption: true, describe: 'The survey' } as const;
const event = { type: 'string', describe: 'Event; required in longitudinal projects' } as const;

const place = {
  record,
  instrument,
  event,
  instance: { type: 'number', describe: 'Repeat instance; default: 1' },
} as const;

/** One survey of one record. */
export type SurveyPlaceArguments = ArgumentsOf<typeof place>;

/** A command that prints something about one survey of one record. */
const placed = {
  args: place,
  positionals: ['record', 'instrument'],
  check: (values: SurveyPlaceArguments) => checkWholeNumbers(values, { '--instance': MAX_INSTANCE }),
} as const;

const linkCommand = defineCommand({
  name: 'link',
  describe: 'Print the link by which a participant fills in a survey; keep it as you keep a password',
  ...placed,
  handler: async (options) => (await import('./survey-action.js')).printLink(options),
});

const queueLinkCommand = defineCommand({
  name: 'queue-link',
  describe: 'Print the link to all surveys that wait for a participant; keep it as you keep a password',
  args: { record },
  positionals: ['record'],
  handler: async (options) => (await import('./survey-action.js')).printQueueLink(options),
});

const returnCodeCommand = defineCommand({
  name: 'return-code',
  describe: 'Print the code with which a participant returns to a saved survey',
  ...placed,
  handler: async (options) => (await import('./survey-action.js')).printReturnCode(options),
});

const accessCodeCommand = defineCommand({
  name: 'access-code',
  describe: 'Print the code that opens a survey where it is typed in (REDCap 15 and later)',
  ...placed,
  handler: async (options) => (await import('./survey-action.js')).printAccessCode(options),
});

const participantsArgs = { instrument, event, ...ROW_OPTIONS } as const;

export type ParticipantsArguments = ArgumentsOf<typeof participantsArgs>;

const participantsCommand = defineCommand({
  name: 'participants',
  describe: 'List the participants of a survey; links and codes only with --json or --csv',
  args: participantsArgs,
  positionals: ['instrument'],
  handler: async (options) => (await import('./survey-action.js')).printParticipants(options),
});

export const surveyCommand = defineCommand({
  name: 'survey',
  describe: 'Survey links, codes and participants',
  subcommands: [linkCommand, queueLinkCommand, returnCodeCommand, accessCodeCommand, participantsCommand],
});
