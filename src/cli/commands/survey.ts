import type { Argv, CommandModule } from 'yargs';
import type {
  ParticipantsArguments,
  SurveyPlaceArguments,
  SurveyRecordArguments,
} from '../actions/run-survey.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { checkWholeNumbers, MAX_INSTANCE } from '../options/whole-number.js';

/** Adds the options that identify one survey of one record. */
function placed<Given>(yargs: Argv<Given>) {
  return yargs
    .positional('record', { type: 'string', demandOption: true, describe: 'Record of the participant' })
    .positional('instrument', { type: 'string', demandOption: true, describe: 'The survey' })
    .option('event', { type: 'string', describe: 'Event; required in longitudinal projects' })
    .option('instance', { type: 'number', describe: 'Repeat instance; default: 1' })
    .check((values) => checkWholeNumbers(values, { '--instance': MAX_INSTANCE }));
}

/** `crf survey link`. */
const linkCommand: CommandModule<GlobalArguments, SurveyPlaceArguments> = {
  command: 'link <record> <instrument>',
  describe: 'Print the link by which a participant fills in a survey; keep it as you keep a password',
  builder: (yargs) => placed(yargs),
  handler: async (options) => (await import('../actions/run-survey.js')).printLink(options),
};

/** `crf survey queue-link`. */
const queueLinkCommand: CommandModule<GlobalArguments, SurveyRecordArguments> = {
  command: 'queue-link <record>',
  describe: 'Print the link to all surveys that wait for a participant; keep it as you keep a password',
  builder: (yargs) =>
    yargs.positional('record', {
      type: 'string',
      demandOption: true,
      describe: 'Record of the participant',
    }),
  handler: async (options) => (await import('../actions/run-survey.js')).printQueueLink(options),
};

/** `crf survey return-code`. */
const returnCodeCommand: CommandModule<GlobalArguments, SurveyPlaceArguments> = {
  command: 'return-code <record> <instrument>',
  describe: 'Print the code with which a participant returns to a saved survey',
  builder: (yargs) => placed(yargs),
  handler: async (options) => (await import('../actions/run-survey.js')).printReturnCode(options),
};

/** `crf survey access-code`. */
const accessCodeCommand: CommandModule<GlobalArguments, SurveyPlaceArguments> = {
  command: 'access-code <record> <instrument>',
  describe: 'Print the code that opens a survey where it is typed in (REDCap 15 and later)',
  builder: (yargs) => placed(yargs),
  handler: async (options) => (await import('../actions/run-survey.js')).printAccessCode(options),
};

/** `crf survey participants`. */
const participantsCommand: CommandModule<GlobalArguments, ParticipantsArguments> = {
  command: 'participants <instrument>',
  describe: 'List the participants of a survey; links and codes only with --json or --csv',
  builder: (yargs) =>
    yargs
      .positional('instrument', { type: 'string', demandOption: true, describe: 'The survey' })
      .option('event', { type: 'string', describe: 'Event; required in longitudinal projects' })
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .option('csv', { type: 'boolean', default: false, describe: 'Print CSV' }),
  handler: async (options) => (await import('../actions/run-survey.js')).printParticipants(options),
};

/** `crf survey`. */
export const surveyCommand: CommandModule = {
  command: 'survey',
  describe: 'Survey links, codes and participants',
  builder: (yargs) =>
    yargs
      .command([
        linkCommand,
        queueLinkCommand,
        returnCodeCommand,
        accessCodeCommand,
        participantsCommand,
      ] as never)
      .demandCommand(1, 'A command is missing: link, queue-link, return-code, access-code or participants.'),
  handler: () => undefined,
};
