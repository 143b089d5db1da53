import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuditNotes } from '../audit-notes.js';
import { watchReader, type ReaderPaceOptions } from './reader-pace.js';
import { writeBody } from './write-body.js';

/** A streamed response whose beginning has arrived. Either `pipeTo` or `cancel` must be called. */
export interface StreamedAnswer {
  readonly contentType: string;
  /**
   * Writes the response and ends the sink. A slow sink slows down REDCap. If the sink closes early, the call is
   * cancelled immediately (STR-04). A failure destroys the sink. The sink is never ended before the response is
   * complete (STR-01).
   *
   * @param bytesTaken returns the number of bytes sent to the reader; if given, the minimum speed is enforced
   * @throws {CancelledError} the sink was closed or the call cancelled before the response was complete
   * @throws {ProblemError} `slow_reader`: the reader was slower than the minimum speed
   * @throws {CrfError} the error of REDCap's answer
   */
  pipeTo(sink: Writable, bytesTaken?: () => number): Promise<void>;
  /** Discards the response and cancels the call to REDCap. */
  cancel(): void;
}

/** Options of a streamed response. */
export interface StreamedAnswerOptions {
  readonly contentType: string;
  readonly pace: ReaderPaceOptions;
  /** Writes the bytes to the sink and ends it; unchanged by default. */
  readonly write?: (sink: Writable) => Promise<void>;
  /** Receives the number of bytes. */
  readonly audit?: AuditNotes | undefined;
}

/** Creates a response from a body whose beginning has been checked. */
export function streamedAnswer(
  body: Readable,
  { contentType, pace, write = (sink) => pipeline(body, sink), audit }: StreamedAnswerOptions,
): StreamedAnswer {
  return {
    contentType,
    cancel: () => void body.destroy(),
    pipeTo: async (sink, bytesTaken) => {
      const stopWatching = bytesTaken && watchReader(sink, bytesTaken, pace);
      if (audit) countBytes(body, audit);
      try {
        await writeBody(body, sink, () => write(sink));
      } finally {
        stopWatching?.();
      }
    },
  };
}

/**
 * Adds the number of bytes to the audit log. Listening starts the flow, so the body must also be read in the same turn
 * of the event loop.
 */
function countBytes(body: Readable, notes: AuditNotes): void {
  let bytes = 0;
  notes.add({ bytes });
  body.on('data', (chunk: Buffer) => notes.add({ bytes: (bytes += chunk.length) }));
}
