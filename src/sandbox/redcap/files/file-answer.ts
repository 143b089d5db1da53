import type { Answer } from '../wire/answer.js';
import type { StoredDocument } from './document-store.js';

/**
 * A file as the API gives it: its name stands in the content type, and PHP puts the character set of a text behind it.
 *
 * @see docs/protocol/redcap.md 11.1 (client)
 */
export function fileAnswer({ name, type, bytes }: StoredDocument): Answer {
  return { kind: 'bytes', bytes, type, fileName: name };
}

/** `image/jpeg; name="mugshot-2.jpg"`, `text/plain; name="notes.txt";charset=UTF-8`, `text/html; charset=UTF-8` */
export function contentTypeOf(type: string, fileName: string | undefined): string {
  if (fileName === undefined) return `${type}; charset=UTF-8`;
  // A header holds bytes: a name in UTF-8 goes out as its bytes, as PHP sends it.
  const name = Buffer.from(fileName.replaceAll('"', ''), 'utf8')
    .toString('latin1')
    .replace(/[^\x20-\x7e\x80-\xff]/g, '');
  return `${type}; name="${name}"${type.startsWith('text/') ? ';charset=UTF-8' : ''}`;
}

/** What imports and deletions of files answer. */
export const EMPTY_ANSWER: Answer = { kind: 'text', text: '' };
