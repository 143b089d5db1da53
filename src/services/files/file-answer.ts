import type { FileDownload } from '../../gateways/redcap/crf-client.js';
import type { AuditNotes } from '../../records/audit-notes.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import { firstByteOf } from '../../records/streaming/first-byte.js';
import { streamedAnswer, type StreamedAnswer } from '../../records/streaming/streamed-answer.js';
import { bareFileName } from './file-name.js';

/** A file in a response. */
export interface FileAnswer extends StreamedAnswer {
  /** The name without folders and control characters. */
  readonly fileName: string;
  /** Size in bytes, if REDCap states it. */
  readonly length: number | undefined;
}

/**
 * Opens a file.
 *
 * @param fallback the name to use if its own is unusable
 * @throws {CrfError} it broke off before its first byte
 */
export async function fileAnswer(
  { body, name, contentType, length }: FileDownload,
  fallback: string,
  pace: ReaderPaceOptions,
  audit?: AuditNotes,
): Promise<FileAnswer> {
  await firstByteOf(body);
  return {
    ...streamedAnswer(body, { contentType, pace, audit }),
    fileName: bareFileName(name, fallback),
    length,
  };
}
