import type { CommandModule } from 'yargs';
import { ROW_FORMATS } from '../../records/formats/row-format.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { refuseBlanks } from '../options/list-option.js';
import { completeFileOption } from '../options/output-options.js';
import type { QualityArguments } from '../actions/run-quality.js';

/** `crf quality`. */
export const qualityCommand: CommandModule<GlobalArguments, QualityArguments> = {
  command: 'quality',
  describe: 'Check all stored records against the rules of the project',
  builder: (yargs) =>
    yargs
      .option('format', {
        choices: ROW_FORMATS,
        describe: 'Default: from the extension of FILE, else a table on a terminal and json elsewhere',
      })
      .option('forms', { type: 'string', array: true, describe: 'Only findings on these instruments' })
      .option('records', { type: 'string', array: true, describe: 'Only these records' })
      .option('rules', {
        array: true,
        choices: [
          'invalid_value',
          'out_of_range',
          'required_empty',
          'hidden_value',
          'stale_calculation',
          'contradicting_status',
          'not_checked',
        ] as const,
        describe: 'Only findings of these rules',
      })
      .option('output', completeFileOption('report'))
      .option('force', { type: 'boolean', default: false, describe: 'Replace FILE' })
      .example('$0 quality --format csv -o findings.csv', 'A list for a spreadsheet')
      .example('$0 quality --rules required_empty hidden_value', 'Two of the rules')
      .epilogue(
        'Findings name record, event, instance, field and rule, never a value. Exit codes: 0 checked, whatever was found; 1 failed, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
      )
      .check(({ forms, records }) => {
        refuseBlanks({ forms, records }, undefined);
        return true;
      }),
  handler: async (options) => {
    const { runQuality } = await import('../actions/run-quality.js');
    process.exitCode = await runQuality(options);
  },
};
