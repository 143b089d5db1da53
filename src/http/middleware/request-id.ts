import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { requestState } from '../request-state.js';
import { traceContextOf } from '../trace-context.js';

/** The header with the request id, in requests and responses. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

// LOG-03: other text could break a log line, or be the name of a person.
const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives every request an id: the caller's id if it is well-formed, or a new one. The response has it too. */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
  const state = requestState(request);
  state.id = id;
  state.trace = traceContextOf(request.headers.traceparent);
  response.setHeader(REQUEST_ID_HEADER, id);
  next();
}
