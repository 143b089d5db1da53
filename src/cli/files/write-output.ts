import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { heard } from '../../domain/bytes/heard.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import { CliError } from '../cli-error.js';
import { EXIT_CODES } from '../exit-codes.js';

/**
 * Writes a body to a sink.
 *
 * @param onBytes called with the number of bytes so far
 * @throws {CliError} the sink failed, not the body
 */
export async function writeOutput(
  body: { pipeTo(sink: Writable): Promise<void> },
  sink: Writable,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let bytes = 0;
  const counter = heard(new PassThrough());
  counter.on('data', (chunk: Buffer) => onBytes((bytes += chunk.length)));
  const outcomes = await Promise.allSettled([body.pipeTo(counter), pipeline(counter, sink, { signal })]);
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure?.status !== 'rejected') return;
  if (signal.aborted) throw abortionOf(signal);
  const { errored } = sink as { errored: NodeJS.ErrnoException | null };
  // For example, the disk is full. Streams that fail only because another one failed have no `syscall` in their error.
  if (errored?.syscall !== undefined)
    throw new CliError(`The output could not be written (${errored.code}).`, EXIT_CODES.failed, {
      cause: errored,
    });
  throw failure.reason;
}
