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
