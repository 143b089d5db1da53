import type { Request } from 'express';
import { ProblemError } from '../../domain/errors/problem-error.js';

/**
 * Refuses a body that says another encoding than it is read in. It would be read as other characters than were sent, and
 * the nesting depth of JSON is counted in the raw bytes: in UTF-7 or UTF-16 brackets are different bytes (IN-03).
 *
 * @param types the media types that the route reads
 * @param encoding the encoding in which it reads the body
 * @throws {ProblemError} `unsupported_media_type`
 * @see RFC 8259, section 8.1: JSON between systems is UTF-8
 */
export function refuseOtherCharsets(
  { headers }: Request,
  types = ['application/json'],
  encoding = 'utf-8',
): void {
  for (const parameter of (headers['content-type'] ?? '').split(';').slice(1)) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() !== 'charset') continue;
    if (encodingOf(value.trim().replace(/^"(.*)"$/, '$1')) !== encoding)
      throw new ProblemError('unsupported_media_type', {
        supported: types.map((type) => `${type}; charset=${encoding}`),
      });
  }
}

/** Returns the encoding that a charset means, as browsers do: `ISO-8859-1` is Windows-1252. */
function encodingOf(charset: string): string | undefined {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}
