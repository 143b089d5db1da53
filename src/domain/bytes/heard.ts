import type { EventEmitter } from 'node:events';

/**
 * Gives a stream a listener for errors from its first moment, and returns the stream. An `error` event that nobody
 * listens to ends the process, and a stream can fail before its reader is attached (OPS-06). The reader still learns of
 * the failure: `pipeline` and iteration also reject for a stream that has already failed.
 *
 * ESLint requires it wherever a stream is created.
 */
export function heard<Emitter extends EventEmitter>(stream: Emitter): Emitter {
  return stream.on('error', ignore);
}

function ignore(): void {
  // Whoever reads or writes the stream handles the failure.
}
