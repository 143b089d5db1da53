import { createHash } from 'node:crypto';
import type { Request } from 'express';

/**
 * Gives an answer its ETag, and answers 304 where the caller has it already.
 *
 * @returns the body; where 304 was answered tsoa finds the headers sent, and leaves the answer alone
 */
export function answerUnlessKnown<Body extends object>(request: Request, body: Body): Body {
  const { res: response } = request;
  if (response === undefined) throw new TypeError('The request has no response.');
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  const tag = `"${hash}"`;
  response
    .setHeader('ETag', tag)
    .setHeader('Cache-Control', 'private, no-cache')
    .vary('Authorization, Cookie');
  if (isKnown(request.headers['if-none-match'], tag)) response.status(304).end();
  return body;
}

/** Not Express's `fresh`: Node's `fetch` sends `Cache-Control: no-cache` beside the tag, which is about caches on the way. */
function isKnown(given: string | undefined, tag: string): boolean {
  return (given ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
}
