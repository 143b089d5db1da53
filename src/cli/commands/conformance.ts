import type { CommandModule } from 'yargs';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';
import type { GlobalArguments } from '../options/global-arguments.js';

interface ConformanceArguments extends GlobalArguments {
  'allow-writes': boolean;
  report: number | undefined;
  json: boolean;
}

/** `crf conformance`: tries every operation of the client library on a REDCap server. */
export const conformanceCommand: CommandModule<GlobalArguments, ConformanceArguments> = {
  command: 'conformance',
  describe: 'Try every operation on REDCap, and report where it differs from its documentation',
  builder: (yargs) =>
    yargs
      .option('allow-writes', {
        type: 'boolean',
        default: false,
        describe: 'Also try what writes; for a throw-away project in development status only',
      })
      .option('report', {
        type: 'number',
        describe: 'Number of a report to read: the API does not list them',
      })
      .check((values) => checkWholeNumbers(values, { '--report': MAX_INTEGER }))
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document on stdout' })
      .example('$0 conformance --json > report.json', 'A report without any data, to be sent to us')
      .epilogue(
        'The report has no record values, no names, no token and no address. Exit codes: 0 nothing differs, 1 an operation differs or failed.',
      ),
  handler: async (options) => {
    const { tryConformance } = await import('../actions/try-conformance.js');
    process.exitCode = await tryConformance({
      ...options,
      allowWrites: options['allow-writes'],
      reportId: options.report,
    });
  },
};
