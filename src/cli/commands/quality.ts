import { isDay } from '../../domain/dictionary/text-validations.js';
import { ROW_FORMATS } from '../../records/formats/row-format.js';
import { QUALITY_RULES } from '../../records/rules/quality-finding.js';
import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { refuseBlanks } from '../options/list-option.js';
import { bySiteOption, completeFileOption } from '../options/output-options.js';

const args = {
  format: {
    choices: ROW_FORMATS,
    describe: 'Default: from the extension of FILE, else a table on a terminal and json elsewhere',
  },
  forms: { type: 'string', array: true, describe: 'Only findings on these instruments' },
  records: { type: 'string', array: true, describe: 'Only these records' },
  rules: {
    array: true,
    choices: QUALITY_RULES,
    describe: 'Only findings of these rules',
  },
  'changed-since': {
    type: 'string',
    requiresArg: true,
    describe: 'Only findings on what was entered or changed since this day, YYYY-MM-DD, as the log says',
  },
  'by-site': bySiteOption,
  output: completeFileOption('report'),
  force: { type: 'boolean', default: false, describe: 'Replace existing files' },
} as const;

export type QualityArguments = ArgumentsOf<typeof args>;

export const qualityCommand = defineCommand({
  name: 'quality',
  describe: 'Check all stored records against the rules of the project',
  args,
  examples: [
    ['$0 quality --format csv -o findings.csv', 'A list for a spreadsheet'],
    ['$0 quality --by-site queries', 'What each site has to check, a workbook for each'],
    ['$0 quality --changed-since 2026-11-20', 'What is new since a day'],
    ['$0 quality --rules required_empty hidden_value', 'Two of the rules'],
  ],
  epilogue:
    'Findings name record, event, instance, field and rule, never a value. Exit codes: 0 checked, whatever was found; 1 failed, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
  check: ({ forms, records, changedSince }) => {
    refuseBlanks({ forms, records }, undefined);
    if (changedSince !== undefined && !isDay(changedSince))
      throw new Error('--changed-since must be a day, as in 2026-11-20');
  },
  handler: async (options) => (await import('./quality-action.js')).runQuality(options),
});
