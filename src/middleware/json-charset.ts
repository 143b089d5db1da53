import type { Request } from 'express';
import { UnsupportedMediaTypeError } from '../errors/caller-errors.js';

/**
 * Refuses a JSON body in an encoding other than UTF-8. The nesting depth is counted in the raw bytes, and in UTF-7 or
 * UTF-16 brackets are different bytes (IN-03).
 *
 * @throws {UnsupportedMediaTypeError}
 * @see RFC 8259, section 8.1: JSON between systems is UTF-8
 */
export function refuseOtherCharsets({ headers }: Request): void {
  for (const parameter of (headers['content-type'] ?? '').split(';').slice(1)) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() !== 'charset') continue;
    if (!/^"?utf-8"?$/i.test(value.trim()))
      throw new UnsupportedMediaTypeError(['application/json; charset=utf-8']);
  }
}
