import type { FileDownload } from '../../gateways/redcap/crf-client.js';
import type { AuditNotes } from '../audit/audit-entry.js';
import type { ReaderPaceOptions } from '../record-export/reader-pace.js';
import { firstByteOf } from '../record-export/first-byte.js';
import { streamedAnswer, type StreamedAnswer } from '../streamed-answer.js';
import { bareFileName } from './file-name.js';

/** A file as an answer. */
export interface FileAnswer extends StreamedAnswer {
  /** Without folders and control characters. */
  readonly fileName: string;
  /** In bytes, when REDCap says it. */
  readonly length: number | undefined;
}

/** @param fallback the name of a file whose own cannot be used @throws {CrfError} it broke off before its first byte */
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
