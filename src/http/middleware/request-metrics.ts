import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RequestObserver } from '../request-observer.js';
import { requestState } from '../request-state.js';
import { routeOf } from '../route-of.js';

/** The methods used as labels. A client could send any word. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Reports each request to an observer (LOG-05). */
export function requestMetrics(observer: RequestObserver): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const started = performance.now();
    const { socket } = response;
    const bytesBefore = socket?.bytesWritten ?? 0;
    const ended = observer.began();
    response.on('close', () => {
      ended({
        method: METHODS.has(request.method) ? request.method : '_OTHER',
        route: routeOf(request),
        project: requestState(request).entered?.name || undefined,
        status: response.headersSent ? response.statusCode : undefined,
        seconds: (performance.now() - started) / 1000,
        bytes: (socket?.bytesWritten ?? 0) - bytesBefore,
        problem: requestState(request).problem,
      });
    });
    next();
  };
}
