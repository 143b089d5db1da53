import type { CommandModule } from 'yargs';
import type { ParticipantsArguments, SurveyLinkArguments } from '../run-survey.js';
import { isWholeNumber } from '../whole-number.js';

/** `crf survey link`. */
const linkCommand: CommandModule<object, SurveyLinkArguments> = {
  command: 'link <record> [instrument]',
  describe: 'Print the link by which a participant fills in a survey; keep it as you keep a password',
  builder: (yargs) =>
    yargs
      .positional('record', { type: 'string', demandOption: true, describe: 'Record of the participant' })
      .positional('instrument', { type: 'string', describe: 'The survey; not with --queue' })
      .option('event', { type: 'string', describe: 'Event; required in longitudinal projects' })
      .option('instance', { type: 'number', describe: 'Repeat instance; default: 1' })
      .option('queue', {
        type: 'boolean',
        default: false,
        describe: 'The link to all surveys that wait for the participant',
      })
      .check(({ instrument, queue, instance }) => {
        if (queue === (instrument !== undefined)) throw new Error('Name an instrument, or say --queue');
        if (instance !== undefined && !isWholeNumber(instance, 99_999))
          throw new Error('--instance must be a whole number from 1 to 99999');
        return true;
      }) as never,
  handler: async (options) => (await import('../run-survey.js')).printLink(options),
};

/** `crf survey participants`. */
const participantsCommand: CommandModule<object, ParticipantsArguments> = {
  command: 'participants <instrument>',
  describe: 'List the participants of a survey; links and codes only with --json or --csv',
  builder: (yargs) =>
    yargs
      .positional('instrument', { type: 'string', demandOption: true, describe: 'The survey' })
      .option('event', { type: 'string', describe: 'Event; required in longitudinal projects' })
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .option('csv', { type: 'boolean', default: false, describe: 'Print CSV' }) as never,
  handler: async (options) => (await import('../run-survey.js')).printParticipants(options),
};

/** `crf survey`. */
export const surveyCommand: CommandModule = {
  command: 'survey',
  describe: 'Survey links and participants',
  builder: (yargs) =>
    yargs
      .command([linkCommand, participantsCommand] as never)
      .demandCommand(1, 'A command is missing: link or participants.'),
  handler: () => undefined,
};
