/** The exit codes of all commands (CLI-01). */
export const EXIT_CODES = {
  ok: 0,
  /** A check failed, or REDCap returned an error or an unexpected response. */
  failed: 1,
  /** The command line or configuration is invalid. */
  usage: 2,
  /** REDCap or Appwrite refused the credentials. */
  credentials: 3,
  /** REDCap or Appwrite could not be reached, or timed out. */
  unreachable: 4,
  /** Something is stored, but not all as asked: a value was not there when it was read back, or somebody changed it. */
  partial: 5,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

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
