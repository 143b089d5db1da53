import type { Logger } from 'pino';
import { CrfError } from '../domain/errors/crf-error.js';
import type { FieldProblem } from '../domain/errors/field-problem.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';

/** Reads something again. @returns what puts it to use, if there is anything @throws {CrfError} it cannot be used */
export type Prepare = () => Promise<(() => void | Promise<void>) | undefined>;

/**
 * Reads several things again, and puts all of them to use or nothing.
 *
 * @throws {ConfigurationError} names everything that cannot be used
 */
export async function prepareAll(all: readonly Prepare[]): Promise<() => Promise<void>> {
  const read = await Promise.allSettled(all.map((prepare) => prepare()));
  const problems: FieldProblem[] = [];
  for (const result of read) {
    if (result.status === 'fulfilled') continue;
    if (!(result.reason instanceof CrfError)) throw result.reason;
    problems.push(...result.reason.errors);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return async () => {
    for (const result of read) if (result.status === 'fulfilled') await result.value?.();
  };
}

/**
 * Returns a function that reads again what the service was started with, and says once what came of it. It never rejects:
 * what cannot be used is logged, and everything stays as it was.
 *
 * @param names of what is read, for the log
 */
export function rereadTogether(
  names: readonly string[],
  prepare: Prepare,
  logger: Pick<Logger, 'info' | 'error'>,
): () => Promise<void> {
  const what = names.join(' and ');
  const isOne = names.length === 1;
  let underWay = Promise.resolve();
  return () =>
    (underWay = underWay.then(async () => {
      try {
        const use = await prepare();
        await use?.();
        logger.info(`${what} ${isOne ? 'was read again and is' : 'were read again and are'} in use`);
      } catch (error) {
        const problems = error instanceof CrfError ? error.errors : undefined;
        logger.error(
          { problems },
          `${what} cannot be used: ${isOne ? 'the previous one is kept' : 'all stays as it was'}`,
        );
      }
    }));
}
