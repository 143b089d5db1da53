import type { Request } from 'express';
import { UnsupportedMediaTypeError } from '../errors/http-errors.js';

/**
 * Refuses a body in an encoding other than UTF-8. It would be read as other characters than were sent, and the nesting
 * depth of JSON is counted in the raw bytes: in UTF-7 or UTF-16 brackets are different bytes (IN-03).
 *
 * @param types the media types that the route reads
 * @throws {UnsupportedMediaTypeError}
 * @see RFC 8259, section 8.1: JSON between systems is UTF-8
 */
export function refuseOtherCharsets({ headers }: Request, types = ['application/json']): void {
  for (const parameter of (headers['content-type'] ?? '').split(';').slice(1)) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() !== 'charset') continue;
    if (!/^"?utf-8"?$/i.test(value.trim()))
      throw new UnsupportedMediaTypeError(types.map((type) => `${type}; charset=utf-8`));
  }
}
