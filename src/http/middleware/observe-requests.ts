import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { appState } from '../app-state.js';
import type { EndedRequest, RequestObserver } from '../request-observer.js';
import { requestState, routeOf } from '../request-state.js';
import { traceContextOf } from '../trace-context.js';

/** The header with the request id, in requests and responses. */
const REQUEST_ID_HEADER = 'X-Request-Id';

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

/**
 * Writes one line per request when its response has ended. Only these fields are logged (LOG-01): never a query, a
 * body, a cookie, a header, or the actual path, which may contain an address.
 */
export function requestLog(logger: Logger): RequestHandler {
  if (!logger.isLevelEnabled('info')) return (_request, _response, next) => next();

  return (request, response, next) => {
    atEnd(request, response, ({ route, project, status, seconds, bytes }) => {
      const { id, trace } = requestState(request);
      logger.info(
        {
          requestId: id,
          traceId: trace?.traceId,
          method: request.method,
          ...{ route, project, status },
          durationMs: Math.round(seconds * 10_000) / 10,
          bytes,
          caller: callerLabel(request),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
}

/** The methods used as labels. A client could send any word. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Reports each request to an observer (LOG-05). */
export function requestMetrics(observer: RequestObserver): RequestHandler {
  return (request, response, next) => {
    const report = observer.began();
    atEnd(request, response, (ended) =>
      report({ ...ended, method: METHODS.has(request.method) ? request.method : '_OTHER' }),
    );
    next();
  };
}

/** Calls back when the response to a request has ended. */
function atEnd(request: Request, response: Response, report: (ended: EndedRequest) => void): void {
  const started = performance.now();
  const { socket } = response;
  const bytesBefore = socket?.bytesWritten ?? 0;
  response.on('close', () => {
    const { entered, problem } = requestState(request);
    report({
      method: request.method,
      route: routeOf(request),
      project: entered?.name || undefined,
      // A caller who leaves before an answer has begun has got none, not a 200.
      status: response.headersSent ? response.statusCode : undefined,
      seconds: (performance.now() - started) / 1000,
      bytes: (socket?.bytesWritten ?? 0) - bytesBefore,
      problem,
    });
  });
}

/**
 * Returns the name of the caller in logs: the name of a key, or the pseudonym of a person, as in the sign-in events.
 *
 * @returns undefined if nobody was identified
 */
export function callerLabel(request: Request): string | undefined {
  const { identified } = requestState(request);
  if (identified === undefined) return undefined;
  const { kind, name, user } = identified;
  return kind === 'session' && user !== undefined
    ? `session:${appState(request).pseudonymOf(user.id)}`
    : name;
}
