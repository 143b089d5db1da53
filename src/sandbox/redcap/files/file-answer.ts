import type { Answer } from '../wire/answer.js';
import type { StoredDocument } from './document-store.js';

/**
 * Answers with a file. Its name is in the content type, and PHP appends the character set for text.
 *
 * @see docs/protocol/redcap.md 11.1 (client)
 */
export function fileAnswer({ name, type, bytes }: StoredDocument): Answer {
  return { kind: 'bytes', bytes, type, fileName: name };
}

/**
 * Returns `image/jpeg; name="mugshot-2.jpg"`, `text/plain; name="notes.txt";charset=UTF-8` or `text/html;
 * charset=UTF-8`.
 */
export function contentTypeOf(type: string, fileName: string | undefined): string {
  if (fileName === undefined) return `${type}; charset=UTF-8`;
  // Headers are bytes: like PHP, send the UTF-8 bytes of the name.
  const name = Buffer.from(fileName.replaceAll('"', ''), 'utf8')
    .toString('latin1')
    .replace(/[^\x20-\x7e\x80-\xff]/g, '');
  return `${type}; name="${name}"${type.startsWith('text/') ? ';charset=UTF-8' : ''}`;
}

/** The answer to imports and deletes of files. */
export const EMPTY_ANSWER: Answer = { kind: 'text', text: '' };
