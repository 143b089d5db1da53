import { CrfError } from '../errors/crf-error.js';
import type { ProblemCode } from '../errors/problem-table.js';

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

const BY_CODE: ReadonlyMap<ProblemCode, ExitCode> = new Map<ProblemCode, ExitCode>([
  ['invalid_configuration', EXIT_CODES.usage],
  ['invalid_identifier', EXIT_CODES.usage],
  ['invalid_request', EXIT_CODES.usage],
  ['upstream_refused', EXIT_CODES.credentials],
  ['identity_refused', EXIT_CODES.credentials],
  ['upstream_unavailable', EXIT_CODES.unreachable],
  ['upstream_timeout', EXIT_CODES.unreachable],
  ['identity_unavailable', EXIT_CODES.unreachable],
  ['overloaded', EXIT_CODES.unreachable],
  ['cancelled', EXIT_CODES.interrupted],
]);

/** @returns the exit code of a failure */
export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof CrfError ? (BY_CODE.get(error.code) ?? EXIT_CODES.failed) : EXIT_CODES.failed;
}
