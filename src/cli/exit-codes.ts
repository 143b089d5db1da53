/** What the exit code of a command says (CLI-01). */
export const EXIT_CODES = {
  ok: 0,
  /** A check failed, or REDCap refused or answered something unexpected. */
  failed: 1,
  /** The command line or the configuration is not valid. */
  usage: 2,
  /** REDCap or Appwrite refused the credentials. */
  credentials: 3,
  /** It could not be reached, or took too long. */
  unreachable: 4,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
