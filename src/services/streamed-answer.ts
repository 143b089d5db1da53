import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuditNotes } from './audit/audit-entry.js';
import { watchReader, type ReaderPaceOptions } from './record-export/reader-pace.js';
import { writeBody } from './record-export/write-body.js';

/** An answer of any length that has begun well. Either `pipeTo` or `cancel` must be called. */
export interface StreamedAnswer {
  readonly contentType: string;
  /**
   * Writes the answer and ends the sink. A sink that is slow slows REDCap down; one that closes early cancels the call
   * at once (STR-04). A failure destroys the sink, which is never ended before the answer is whole (STR-01).
   *
   * @param bytesTaken how many bytes have left for the reader: with it the reader has to keep the pace that is set
   * @throws {CancelledError} the sink was closed, or the call cancelled, before the answer was whole
   * @throws {SlowReaderError} the reader took less than the pace
   * @throws {CrfError} what REDCap's answer failed with
   */
  pipeTo(sink: Writable, bytesTaken?: () => number): Promise<void>;
  /** Gives the answer up: the call to REDCap is cancelled. */
  cancel(): void;
}

/** How an answer is written. */
export interface StreamedAnswerOptions {
  readonly contentType: string;
  readonly pace: ReaderPaceOptions;
  /** Writes the bytes to the sink and ends it; as they are by default. */
  readonly write?: (sink: Writable) => Promise<void>;
  /** Where the number of bytes is taken down. */
  readonly audit?: AuditNotes | undefined;
}

/** Makes an answer of bytes whose beginning is known to be good. */
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

/** Somebody else begins to read in the same turn: listening makes a body flow. */
function countBytes(body: Readable, notes: AuditNotes): void {
  let bytes = 0;
  notes.add({ bytes });
  body.on('data', (chunk: Buffer) => notes.add({ bytes: (bytes += chunk.length) }));
}
