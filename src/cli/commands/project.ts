import { defineCommand, subcommand } from '../command.js';
import { readTextFile } from '../files/read-files.js';
import { saveFile } from '../files/save-file.js';
import { withClient } from '../open-client.js';
import { confirm } from '../options/confirm.js';
import {
  choice,
  completeFileOption,
  ENCODING_OPTION,
  flag,
  needed,
  refuseBlanks,
  text,
  texts,
  toIds,
  toList,
  value,
  YES,
} from '../options/shared-options.js';
import { namesInWords } from '../printing/table.js';
import { diffCommand } from './project-diff.js';

const xmlCommand = subcommand({
  usage: 'xml',
  describe: 'Export the whole project, design and records, as REDCap XML',
  args: {
    'metadata-only': flag('Leave out the records'),
    records: texts('Only these records'),
    fields: texts('Only these fields'),
    events: texts('Only these events'),
    filter: text('Only records for which this filter logic is true'),
    'survey-fields': flag('Add survey identifiers and timestamps'),
    dags: flag('Add data access groups'),
    files: flag('Add the uploaded files'),
    output: completeFileOption('document'),
    force: flag('Replace FILE'),
  },
  examples: {
    '$0 project xml -o study.REDCap.xml': 'Take a project home',
    '$0 sandbox --project study.REDCap.xml': 'Work on it offline',
  },
  check: ({ records, fields, events, filter }) => refuseBlanks({ records, fields, events }, filter),
  run: (options, io) => {
    const { output = '-' } = options;
    return saveFile({ ...options, output }, 'project.REDCap.xml', io, async (client, signal) => ({
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

const createCommand = subcommand({
  usage: 'create <title>',
  describe: 'Create a project with a super token and print the new token',
  args: {
    title: needed('Title of the project'),
    purpose: choice(
      '0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support',
      [0, 1, 2, 3, 4],
      { default: 0 },
    ),
    'purpose-other': text('Needed with purpose 1'),
    notes: text('Notes about the project'),
    longitudinal: flag('With events'),
    surveys: flag('With surveys'),
    autonumber: flag('Number the records'),
    xml: value('Project XML with the design and the records, as crf project xml writes it; - for stdin'),
    encoding: { ...ENCODING_OPTION.encoding, implies: 'xml' },
    ...YES,
  },
  examples: { '$0 project create "Copy of the study" --xml study.REDCap.xml': 'A project from a file' },
  combinations: [{ option: 'xml', not: ['longitudinal', 'surveys', 'autonumber'], why: 'the XML says it' }],
  epilogue: 'CAPTURE_API_TOKEN must be a super token of 64 characters.',
  run: async (options, io) => {
    const { title, purpose, purposeOther, notes, xml } = options;
    const odm = xml === undefined ? undefined : await readTextFile(xml, io, '--xml', options);
    await confirm(`Make the project ${namesInWords([title])}, and print its token`, options.yes, io);
    await withClient({ ...options, needsProject: true }, io, async ({ client }) => {
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
      io.stdout.write(`${token}\n`);
      io.stderr.write(
        'The token gives access to everything in the project: keep it as safe as the super token.\n',
      );
    });
  },
});

export const command = defineCommand({
  subcommands: [xmlCommand, createCommand, diffCommand],
});
