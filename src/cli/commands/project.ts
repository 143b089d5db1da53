import { defineCommand } from '../define-command.js';
import { refuseBlanks, toList } from '../options/list-option.js';
import { completeFileOption, ENCODING_OPTION, JSON_OPTION, YES } from '../options/output-options.js';

const xmlCommand = defineCommand({
  name: 'xml',
  describe: 'Export the whole project, design and records, as REDCap XML',
  args: {
    'metadata-only': { type: 'boolean', default: false, describe: 'Leave out the records' },
    records: { type: 'string', array: true, describe: 'Only these records' },
    fields: { type: 'string', array: true, describe: 'Only these fields' },
    events: { type: 'string', array: true, describe: 'Only these events' },
    filter: { type: 'string', describe: 'Only records for which this filter logic is true' },
    'survey-fields': {
      type: 'boolean',
      default: false,
      describe: 'Add survey identifiers and timestamps',
    },
    dags: { type: 'boolean', default: false, describe: 'Add data access groups' },
    files: { type: 'boolean', default: false, describe: 'Add the uploaded files' },
    output: completeFileOption('document'),
    force: { type: 'boolean', default: false, describe: 'Replace FILE' },
  },
  examples: [
    ['$0 project xml -o study.REDCap.xml', 'Take a project home'],
    ['$0 sandbox --project study.REDCap.xml', 'Work on it offline'],
  ],
  check: ({ records, fields, events, filter }) => refuseBlanks({ records, fields, events }, filter),
  handler: async (options) => {
    const [{ saveFile }, { toIds }] = await Promise.all([
      import('../files/save-file.js'),
      import('../options/id-list-option.js'),
    ]);
    const { output = '-' } = options;
    await saveFile({ ...options, output }, 'project.REDCap.xml', async (client, signal) => ({
      name: 'project.REDCap.xml',
      body: await client.projects.openXml({
        signal,
        metadataOnly: options.metadataOnly,
        records: toIds(options.records),
        fields: toList(options.fields),
        events: toList(options.events),
        filterLogic: options.filter,
        exportSurveyFields: options.surveyFields,
        exportDataAccessGroups: options.dags,
        exportFiles: options.files,
      }),
    }));
  },
});

const createCommand = defineCommand({
  name: 'create',
  describe: 'Create a project with a super token and print the new token',
  args: {
    title: { type: 'string', demandOption: true, describe: 'Title of the project' },
    purpose: {
      choices: [0, 1, 2, 3, 4],
      default: 0,
      describe: '0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support',
    },
    'purpose-other': { type: 'string', describe: 'Needed with purpose 1' },
    notes: { type: 'string', describe: 'Notes about the project' },
    longitudinal: { type: 'boolean', default: false, describe: 'With events' },
    surveys: { type: 'boolean', default: false, describe: 'With surveys' },
    autonumber: { type: 'boolean', default: false, describe: 'Number the records' },
    xml: {
      type: 'string',
      requiresArg: true,
      describe: 'Project XML with the design and the records, as crf project xml writes it; - for stdin',
    },
    encoding: { ...ENCODING_OPTION.encoding, implies: 'xml' },
    ...YES,
  },
  positionals: ['title'],
  examples: [['$0 project create "Copy of the study" --xml study.REDCap.xml', 'A project from a file']],
  check: ({ xml, longitudinal, surveys, autonumber }) => {
    if (xml !== undefined && (longitudinal || surveys || autonumber))
      throw new Error(
        '--xml cannot be combined with --longitudinal, --surveys or --autonumber: the XML says it',
      );
  },
  epilogue: 'CAPTURE_API_TOKEN must be a super token of 64 characters.',
  handler: async (options) => {
    const [{ withClient }, { confirm }, { namesInWords }, { readTextFile }] = await Promise.all([
      import('../open-client.js'),
      import('../options/confirm.js'),
      import('../printing/names-in-words.js'),
      import('../files/read-text-file.js'),
    ]);
    const { title, purpose, purposeOther, notes, xml } = options;
    const odm = xml === undefined ? undefined : await readTextFile(xml, '--xml', options);
    await confirm(`Make the project ${namesInWords([title])}, and print its token`, options.yes);
    await withClient({ ...options, needsProject: true }, async ({ client }) => {
      const token = await client.projects.create({
        title,
        purpose,
        purposeOther,
        notes,
        ...(odm === undefined
          ? {
              isLongitudinal: options.longitudinal,
              surveysEnabled: options.surveys,
              recordAutonumberingEnabled: options.autonumber,
            }
          : { odm }),
      });
      process.stdout.write(`${token}\n`);
      process.stderr.write(
        'The token gives access to everything in the project: keep it as safe as the super token.\n',
      );
    });
  },
});

const diffCommand = defineCommand({
  name: 'diff',
  describe: 'Compare the designs of two backups, or of a backup and the project of the token',
  args: {
    from: { type: 'string', demandOption: true, describe: 'Folder of a backup, or the word project' },
    to: { type: 'string', default: 'project', describe: 'Folder of a backup, or the word project' },
    ...JSON_OPTION,
  },
  positionals: ['from', 'to'],
  examples: [
    ['$0 project diff cohort', 'What has changed since a backup'],
    ['$0 project diff project test-project', 'What the design of a test project would change here'],
  ],
  epilogue: 'Beside what is removed stands how many stored values of the first nobody would see any more.',
  handler: async (options) => (await import('../backup/project-diff.js')).printProjectDiff(options),
});

export const projectCommand = defineCommand({
  name: 'project',
  describe: 'The project as a whole',
  subcommands: [xmlCommand, createCommand, diffCommand],
});
