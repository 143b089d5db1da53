import type { CommandModule } from 'yargs';
import { isWholeNumber } from '../whole-number.js';

interface SandboxArguments {
  project: string | undefined;
  dictionary: string | undefined;
  records: string | undefined;
  port: number;
}

/** `crf sandbox`: a REDCap API to try clients on, with the demo study or a study of one's own. */
export const sandboxCommand: CommandModule<object, SandboxArguments> = {
  command: 'sandbox',
  describe: "Run only the REDCap sandbox: REDCap's API on loopback, kept in memory",
  builder: (yargs) =>
    yargs
      .option('project', {
        type: 'string',
        conflicts: ['dictionary', 'records'],
        describe: "REDCap's project XML (download metadata & data) instead of the demo study",
      })
      .option('dictionary', { type: 'string', describe: 'A data dictionary (CSV) instead of the demo study' })
      .option('records', {
        type: 'string',
        implies: 'dictionary',
        describe: 'Records for that dictionary (CSV, flat and raw)',
      })
      .option('port', { type: 'number', default: 0, describe: 'Port to listen on; 0 picks a free one' })
      .example('$0 sandbox --project study.REDCap.xml', 'A project, taken home')
      .example('$0 sandbox --dictionary dictionary.csv --records records.csv', 'Your own study')
      .check(({ port }) => {
        if (port !== 0 && !isWholeNumber(port, 65_535))
          throw new Error('--port must be a number from 0 to 65535');
        return true;
      }),
  handler: async ({ project, dictionary, records, port }) => {
    const { runSandbox } = await import('../run-sandbox.js');
    await runSandbox({ project, dictionary, records, port });
  },
};
