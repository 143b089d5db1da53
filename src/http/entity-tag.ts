import { createHash } from 'node:crypto';
import type { Request } from 'express';

/** @returns the ETag of a body: an object as the JSON it is sent as, or a text as it is */
export function entityTagOf(body: object | string): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/**
 * Gives an answer its ETag, and answers 304 where the caller has it already.
 *
 * @returns the body; where 304 was answered tsoa finds the headers sent, and leaves the answer alone
 */
export function answerUnlessKnown<Body extends object>(request: Request, body: Body): Body {
  setEntityTag(request, entityTagOf(body));
  return body;
}

/**
 * Sets the ETag of an answer, and answers 304 where the caller has it already.
 *
 * @returns whether 304 was answered
 */
export function setEntityTag(request: Request, tag: string): boolean {
  const { res: response } = request;
  if (response === undefined) throw new TypeError('The request has no response.');
  response
    .setHeader('ETag', tag)
    .setHeader('Cache-Control', 'private, no-cache')
    .vary('Accept, Authorization, Cookie');
  const hasIt = isKnown(request.headers['if-none-match'], tag);
  if (hasIt) response.status(304).end();
  return hasIt;
}

/** Not Express's `fresh`: Node's `fetch` sends `Cache-Control: no-cache` beside the tag, which is about caches on the way. */
function isKnown(given: string | undefined, tag: string): boolean {
  return tagsIn(given ?? '').some((known) => known.replace(/^W\//, '') === tag);
}

/**
 * Whether `If-Match` lets a change through. A weak tag never does.
 *
 * @param tags of what is there now, one a media type
 */
export function doesMatch(ifMatch: string, tags: readonly string[]): boolean {
  return tagsIn(ifMatch).some((tag) => tag === '*' || tags.includes(tag));
}

function tagsIn(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
