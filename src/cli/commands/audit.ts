import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';

interface VerifyArguments extends GlobalArguments {
  files: readonly string[];
  json: boolean;
}

/** `crf audit verify`. */
const verifyCommand: CommandModule<GlobalArguments, VerifyArguments> = {
  command: 'verify <files..>',
  describe: 'Check that no line of an audit log was altered, removed, added or moved',
  builder: (yargs) =>
    yargs
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'The log and its rotated files, oldest first; .gz is read, too',
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document on stdout' })
      .example('$0 audit verify audit.log', 'Check one file')
      .example('$0 audit verify audit.log.2.gz audit.log.1 audit.log', 'Check over rotated files')
      .epilogue(
        'Prints the number and the hash of the last line: kept elsewhere, they show later whether lines were cut off the end. Exit codes: 0 intact, also with an unfinished last line, as a crash leaves it; 1 not intact; 2 a file cannot be read.',
      ),
  handler: async ({ files, json }) => {
    const { runAuditVerify } = await import('../actions/run-audit-verify.js');
    process.exitCode = await runAuditVerify(files, { json, stdout: process.stdout, stderr: process.stderr });
  },
};

/** `crf audit`. */
export const auditCommand: CommandModule = {
  command: 'audit',
  describe: 'Check the audit log of the service',
  builder: (yargs) => yargs.command(verifyCommand as never).demandCommand(1, 'A command is missing: verify.'),
  handler: () => undefined,
};
