import type { Request } from 'express';

/**
 * Answers a request with a text of a media type.
 *
 * @returns never what it says: tsoa leaves an answer alone whose headers are sent
 */
export function sendText<T>({ res: response }: Request, mediaType: string, text: string): T {
  if (response === undefined) throw new TypeError('The request has no response.');
  response.status(200).setHeader('Content-Type', `${mediaType}; charset=utf-8`);
  response.end(text);
  return undefined as T; // see @returns
}
