import { CrfError } from '../domain/errors/crf-error.js';
import type { ProblemCode } from '../domain/errors/problem-table.js';
import { CliError } from './cli-error.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';

const BY_CODE: ReadonlyMap<ProblemCode, ExitCode> = new Map<ProblemCode, ExitCode>([
  ['invalid_configuration', EXIT_CODES.usage],
  ['invalid_identifier', EXIT_CODES.usage],
  ['invalid_request', EXIT_CODES.usage],
  ['upstream_refused', EXIT_CODES.credentials],
  ['upstream_forbidden', EXIT_CODES.credentials],
  ['identity_refused', EXIT_CODES.credentials],
  ['upstream_unavailable', EXIT_CODES.unreachable],
  ['upstream_offline', EXIT_CODES.unreachable],
  ['upstream_banned', EXIT_CODES.unreachable],
  ['upstream_timeout', EXIT_CODES.unreachable],
  ['identity_unavailable', EXIT_CODES.unreachable],
  ['overloaded', EXIT_CODES.unreachable],
  // Only Ctrl-C and SIGTERM cancel the calls of a command.
  ['cancelled', EXIT_CODES.interrupted],
]);

/** @returns the exit code for an error; for an interrupted import, that of its cause */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (!(error instanceof CrfError)) return EXIT_CODES.failed;
  if (error.code === 'import_interrupted') return exitCodeOf(error.cause);
  return BY_CODE.get(error.code) ?? EXIT_CODES.failed;
}
