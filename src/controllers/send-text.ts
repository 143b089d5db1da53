import type { Request } from 'express';
import { entityTagOf, setEntityTag } from '../http/entity-tag.js';

/**
 * Answers a request with a text of a media type and its ETag; 304 without it to whoever has it already.
 *
 * @returns never what it says: tsoa leaves an answer alone whose headers are sent
 */
export function sendText<T>(request: Request, mediaType: string, text: string): T {
  const { res: response } = request;
  if (response === undefined) throw new TypeError('The request has no response.');
  response.status(200);
  if (!setEntityTag(request, entityTagOf(text)))
    response.setHeader('Content-Type', `${mediaType}; charset=utf-8`).end(text);
  return undefined as T; // see @returns
}
