import type { Request } from 'express';

/** Whether a request comes from somebody who reads pages. A program that takes whatever comes gets a problem document. */
export function acceptsPage(request: Request): boolean {
  return request.accepts(['application/problem+json', 'application/json', 'html']) === 'html';
}
