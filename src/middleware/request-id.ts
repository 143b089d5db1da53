import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** Where the id stands on a request. A property: a WeakMap costs several times as much at every request. */
const ID = Symbol('request id');

type Identified = Request & { [ID]?: string };

/** The header that carries the request id, in and out. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

// LOG-03: whatever else a caller sends could break a log line, or be somebody's name.
const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives every request an id: the caller's, when it has the accepted form, or a new one. It stands on the answer too. */
export function requestId(request: Identified, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
  request[ID] = id;
  response.setHeader(REQUEST_ID_HEADER, id);
  next();
}

/** @returns the id of a request that has passed `requestId` */
export function idOf(request: Identified): string {
  return request[ID] ?? 'unknown';
}
