import { EXIT_CODES, type ExitCode } from './exit-codes.js';

/** An error of a command itself, with a message and an exit code. */
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

/** An invalid command line. The exit code is 2, and the usage of the command is shown. */
export class UsageError extends CliError {
  constructor(
    message: string,
    /** The usage of the intended command, in one line. */
    readonly usage = '',
  ) {
    super(message, EXIT_CODES.usage);
  }
}
