import { CancelledError } from '../domain/errors/caller-errors.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import { CrfError } from '../domain/errors/crf-error.js';
import { said, type RecordProblem } from '../domain/errors/field-problem.js';
import { describeError } from '../server/logging/describe-error.js';
import { CliError, UsageError } from './cli-error.js';
import { exitCodeOf } from './exit-code-of.js';
import type { ExitCode } from './exit-codes.js';

/** Maximum number of problems to show. */
const MAX_PROBLEMS = 20;

/**
 * Writes an error to stderr: the message and every problem. The stack is omitted for user errors.
 *
 * @returns the exit code
 */
export function reportFailure(error: unknown): ExitCode {
  process.stderr.write(`${describeFailure(error)}\n`);
  return exitCodeOf(error);
}

/** @returns the text for an error. Messages of other libraries are left out, since they may contain values (ERR-02). */
export function describeFailure(error: unknown): string {
  if (error instanceof UsageError)
    return error.usage === '' ? error.message : `${error.message}\n${error.usage}`;
  if (error instanceof CliError) return error.message;
  if (error instanceof CancelledError) return 'Interrupted.';
  if (error instanceof CrfError) return describeCrfError(error);
  const { type, code, stack } = describeError(error);
  return [`crf failed unexpectedly: ${type}${code === undefined ? '' : ` (${code})`}`, stack].join('\n');
}

function describeCrfError(error: CrfError): string {
  // The message of these errors already contains their problems.
  if (error instanceof ConfigurationError)
    return ['The configuration is not valid:', ...listOf(error)].join('\n');
  const [only, ...others] = error.errors;
  // A message has no place in a file.
  const isInMessage =
    only !== undefined && others.length === 0 && !('line' in only) && error.message.includes(only.message);
  const wait = error.retryAfterSeconds === undefined ? [] : [`Try again in ${error.retryAfterSeconds} s.`];
  return [error.message, ...(isInMessage ? [] : listOf(error)), ...wait].join('\n');
}

function listOf({ errors }: CrfError): string[] {
  const shown = errors.slice(0, MAX_PROBLEMS).map((problem) => {
    const { line, record = '' }: Partial<RecordProblem> = problem;
    const place = [line === undefined ? '' : `line ${line}`, record].filter((part) => part !== '').join(', ');
    return `  ${place === '' ? '' : `${place}: `}${said(problem)}`;
  });
  return errors.length > shown.length ? [...shown, `  … and ${errors.length - shown.length} more`] : shown;
}
