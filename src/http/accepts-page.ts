import type { Request } from 'express';

/** Whether the client prefers HTML pages. A program that accepts anything gets a problem document. */
export function acceptsPage(request: Request): boolean {
  return request.accepts(['application/problem+json', 'application/json', 'html']) === 'html';
}
