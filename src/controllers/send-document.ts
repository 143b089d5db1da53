import type { Request } from 'express';
import { setEntityTag } from '../http/entity-tag.js';
import type { ProjectDocument } from '../services/project-schema/project-documents.js';

/**
 * Writes a document with its ETag; 304 without it to whoever has it already.
 *
 * @returns never what it says: tsoa leaves an answer alone whose headers are sent
 */
export async function sendDocument<T>(request: Request, document: Promise<ProjectDocument>): Promise<T> {
  const { res: response } = request;
  if (response === undefined) throw new TypeError('The request has no response.');

  const ready = await document;
  response.status(200);
  if (!setEntityTag(request, ready.etag))
    response.setHeader('Content-Type', ready.contentType).end(ready.text());
  return undefined as T; // see @returns
}
