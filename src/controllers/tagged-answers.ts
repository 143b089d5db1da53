import type { Request } from 'express';
import { doesMatch, entityTagOf, setEntityTag } from '../http/entity-tag.js';
import { requestState, responseOf } from '../http/request-state.js';
import type { ProjectDocument } from '../services/project-schema/project-documents.js';

/**
 * Sends a body as JSON with its ETag, or 304 if the caller already has it. The body is serialized once, for both.
 *
 * @param kept `no-store` for what names people
 * @returns the body, which tsoa ignores because the headers have been sent
 */
export function sendUnlessKnown<Body extends object>(request: Request, body: Body, kept?: 'no-store'): Body {
  const text = JSON.stringify(body);
  if (setEntityTag(request, entityTagOf(text), kept)) return body;
  // The audit log counts what `response.json` sends, and this is sent as text.
  requestState(request).audit?.answered(body);
  responseOf(request).status(200).type('json').send(text);
  return body;
}

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

/**
 * Returns the `If-Match` condition of a request, for `DesignService.change`.
 *
 * @param readings read what the route returns in each of its media types now: what is sent as `{ data }`, or a text
 * @returns undefined if the request has no `If-Match`
 */
export function whileUnchanged(
  ifMatch: string | undefined,
  ...readings: readonly (() => Promise<object | string>)[]
): (() => Promise<boolean>) | undefined {
  if (ifMatch === undefined) return undefined;
  return async () => {
    const answers = await Promise.all(readings.map((read) => read()));
    return doesMatch(
      ifMatch,
      answers.map((answer) => entityTagOf(typeof answer === 'string' ? answer : { data: answer })),
    );
  };
}
