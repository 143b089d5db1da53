import type { CommandModule } from 'yargs';
import { withYes } from '../options/confirm.js';
import { refuseBlanks } from '../options/list-option.js';
import { completeFileOption } from '../options/output-options.js';
import type { CreateProjectArguments } from '../actions/run-project-create.js';
import type { ProjectXmlArguments } from '../actions/run-project-xml.js';

/** `crf project xml`. */
const xmlCommand: CommandModule<object, ProjectXmlArguments> = {
  command: 'xml',
  describe: 'Export the whole project, design and records, as REDCap XML',
  builder: (yargs) =>
    yargs
      .option('metadata-only', { type: 'boolean', default: false, describe: 'Leave out the records' })
      .option('records', { type: 'string', array: true, describe: 'Only these records' })
      .option('fields', { type: 'string', array: true, describe: 'Only these fields' })
      .option('events', { type: 'string', array: true, describe: 'Only these events' })
      .option('filter', { type: 'string', describe: 'Only records for which this filter logic is true' })
      .option('survey-fields', {
        type: 'boolean',
        default: false,
        describe: 'Add survey identifiers and timestamps',
      })
      .option('dags', { type: 'boolean', default: false, describe: 'Add data access groups' })
      .option('files', { type: 'boolean', default: false, describe: 'Add the uploaded files' })
      .option('output', completeFileOption('document'))
      .option('force', { type: 'boolean', default: false, describe: 'Replace FILE' })
      .example('$0 project xml -o study.REDCap.xml', 'Take a project home')
      .example('$0 sandbox --project study.REDCap.xml', 'Work on it offline')
      .check(({ records, fields, events, filter }) => {
        refuseBlanks({ records, fields, events }, filter);
        return true;
      }) as never, // yargs's types do not convert kebab-case options to camelCase
  handler: async (options) => (await import('../actions/run-project-xml.js')).saveProjectXml(options),
};

/** `crf project create`. */
const createCommand: CommandModule<object, CreateProjectArguments> = {
  command: 'create <title>',
  describe: 'Create a project with a super token and print the new token',
  builder: (yargs) =>
    withYes(
      yargs
        .positional('title', { type: 'string', demandOption: true, describe: 'Title of the project' })
        .option('purpose', {
          choices: [0, 1, 2, 3, 4],
          default: 0,
          describe: '0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support',
        })
        .option('purpose-other', { type: 'string', describe: 'Needed with purpose 1' })
        .option('notes', { type: 'string', describe: 'Notes about the project' })
        .option('longitudinal', { type: 'boolean', default: false, describe: 'With events' })
        .option('surveys', { type: 'boolean', default: false, describe: 'With surveys' })
        .option('autonumber', { type: 'boolean', default: false, describe: 'Number the records' }),
    ).epilogue('CAPTURE_API_TOKEN must be a super token of 64 characters.') as never, // yargs's types do not convert kebab-case options to camelCase
  handler: async (options) => (await import('../actions/run-project-create.js')).createProject(options),
};

/** `crf project`. */
export const projectCommand: CommandModule = {
  command: 'project',
  describe: 'The project as a whole',
  builder: (yargs) =>
    yargs
      .command([xmlCommand, createCommand] as never)
      .demandCommand(1, 'A command is missing: xml or create.'),
  handler: () => undefined,
};
