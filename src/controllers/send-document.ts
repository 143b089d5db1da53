import type { Request } from 'express';
import { setEntityTag } from '../http/entity-tag.js';
import { responseOf } from '../http/response-of.js';
import type { ProjectDocument } from '../services/project-schema/project-documents.js';

/**
 * Sends a document with its ETag, or 304 if the client already has it.
 *
 * @param adapt changes the text for the URL that was requested
 * @returns nothing: the return type only satisfies tsoa, which ignores the value once the headers are sent
 */
export async function sendDocument<T>(
  request: Request,
  document: Promise<ProjectDocument>,
  adapt: (text: string) => string = (text) => text,
): Promise<T> {
  const response = responseOf(request);

  const ready = await document;
  response.status(200);
  if (!setEntityTag(request, ready.etag))
    response.setHeader('Content-Type', ready.contentType).end(adapt(ready.text()));
  return undefined as T; // see @returns
}
