import { hash } from 'node:crypto';
import type { Request } from 'express';
import { responseOf } from './request-state.js';

/**
 * One or more ETags, in the syntax of `If-Match`.
 * @pattern ^(\*|(W/)?"[\x21\x23-\x7e]*"(\s*,\s*(W/)?"[\x21\x23-\x7e]*")*)$ must be one or more ETags in double quotes, separated by commas, or *
 * @maxLength 1000
 * @example "\"dtNjcyfIQaMS7RGsmkgoIN\""
 */
export type EntityTagsText = string;

/** Returns the ETag of a body: of an object serialized as JSON, or of a text. */
export function entityTagOf(body: object | string): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

/**
 * Sets the ETag of a response, and responds with 304 if the caller already has it. The tag is the same if the response
 * is compressed, because it stands for the state of the resource, which `If-Match` compares.
 *
 * @param kept by a browser's cache by default, which asks again each time; `no-store` for people and records (HDR-03)
 * @returns whether 304 was sent
 */
export function setEntityTag(request: Request, tag: string, kept = 'private, no-cache'): boolean {
  const response = responseOf(request);
  response
    .setHeader('ETag', tag)
    .setHeader('Cache-Control', kept)
    .vary('Accept, Accept-Encoding, Authorization, Cookie');
  const hasIt = isKnown(request.headers['if-none-match'], tag);
  if (hasIt) response.status(304).end();
  return hasIt;
}

/**
 * Unlike Express's `fresh`, ignores `Cache-Control: no-cache`, which Node's `fetch` sends with the tag and which is
 * meant for caches.
 */
function isKnown(given: string | undefined, tag: string): boolean {
  return tagsIn(given ?? '').some((known) => known === '*' || known.replace(/^W\//, '') === tag);
}

/**
 * Whether `If-Match` permits a change. A weak tag never does.
 *
 * @param tags the current tags, one per media type
 */
export function doesMatch(ifMatch: string, tags: readonly string[]): boolean {
  return tagsIn(ifMatch).some((tag) => tag === '*' || tags.includes(tag));
}

function tagsIn(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
