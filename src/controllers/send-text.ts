import type { Request } from 'express';
import { entityTagOf, setEntityTag } from '../http/entity-tag.js';
import { responseOf } from '../http/response-of.js';

/**
 * Sends a text with its media type and ETag, or 304 if the client already has it.
 *
 * @returns nothing: the return type only satisfies tsoa, which ignores the value once the headers are sent
 */
export function sendText<T>(request: Request, mediaType: string, text: string): T {
  const response = responseOf(request);
  response.status(200);
  if (!setEntityTag(request, entityTagOf(text)))
    response.setHeader('Content-Type', `${mediaType}; charset=utf-8`).end(text);
  return undefined as T; // see @returns
}
