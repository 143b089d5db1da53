import { EXIT_CODES, type ExitCode } from './exit-codes.js';

/** What goes wrong in a command itself, and in no other part of the package: a sentence and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT_CODES.failed,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A command line that is not valid. Ends with 2, and shows how the command is used. */
export class UsageError extends CliError {
  constructor(
    message: string,
    /** How the command that was meant is used: one line. */
    readonly usage = '',
  ) {
    super(message, EXIT_CODES.usage);
  }
}
