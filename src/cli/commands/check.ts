import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';

interface CheckArguments extends GlobalArguments {
  json: boolean;
}

/** `crf check`. Only its definition: the implementation is loaded when it runs, to keep `--help` fast. */
export const checkCommand: CommandModule<GlobalArguments, CheckArguments> = {
  command: 'check',
  describe: 'Check the connection to REDCap, step by step',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document on stdout' })
      .example('$0 check --json | jq .ok', 'Use the result in a script')
      .epilogue(
        'Exit codes: 0 success, 1 a check failed, 2 configuration, 3 credentials refused, 4 unreachable or timed out.',
      ),
  handler: async (options) => {
    const { runCaptureChecks } = await import('../check/capture-checks.js');
    process.exitCode = await runCaptureChecks(options);
  },
};
