import { CrfError } from '../errors/crf-error.js';
import { exitCodeOf, type ExitCode } from './exit-codes.js';

/**
 * Says on stderr what failed: the sentence of our own errors, each single thing that is wrong, and no stack for a mistake
 * of the user's.
 *
 * @returns the exit code
 */
export function reportFailure(error: unknown): ExitCode {
  process.stderr.write(`${describeFailure(error)}\n`);
  return exitCodeOf(error);
}

/** @returns the sentence, and below it the single problems, at most twenty */
export function describeFailure(error: unknown): string {
  if (!(error instanceof CrfError)) {
    return `crf failed unexpectedly: ${error instanceof Error ? (error.stack ?? error.name) : typeof error}`;
  }
  const shown = error.errors.slice(0, 20).map((problem) => {
    const record = 'record' in problem && problem.record !== '' ? `${String(problem.record)}: ` : '';
    return `  ${record}${problem.field} ${problem.message}`;
  });
  const more =
    error.errors.length > shown.length ? [`  … and ${error.errors.length - shown.length} more`] : [];
  return [error.message, ...shown, ...more].join('\n');
}
