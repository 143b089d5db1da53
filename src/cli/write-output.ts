import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CancelledError } from '../errors/caller-errors.js';
import { CliError } from './cli-error.js';
import { EXIT_CODES } from './exit-codes.js';
import type { RowCounter } from './row-counter.js';

/**
 * Writes a body to a sink, counted on its way.
 *
 * @throws {CliError} the sink failed, and not the body
 */
export async function writeOutput(
  body: { pipeTo(sink: Writable): Promise<void> },
  counter: RowCounter,
  sink: Writable,
  signal: AbortSignal,
): Promise<void> {
  const outcomes = await Promise.allSettled([body.pipeTo(counter), pipeline(counter, sink, { signal })]);
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure?.status !== 'rejected') return;
  if (signal.aborted) throw new CancelledError();
  const { errored } = sink as { errored: NodeJS.ErrnoException | null };
  // A disk that is full, for one. Streams that fall with others have no system call in their errors.
  if (errored?.syscall !== undefined)
    throw new CliError(`The output could not be written (${errored.code}).`, EXIT_CODES.failed, {
      cause: errored,
    });
  throw failure.reason;
}
