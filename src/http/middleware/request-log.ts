import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { requestState } from '../request-state.js';
import { callerLabel } from './caller-label.js';
import { routeOf } from '../route-of.js';

/**
 * Writes one line per request when its response has ended. Only these fields are logged (LOG-01): never a query, a
 * body, a cookie, a header, or the actual path, which may contain an address.
 */
export function requestLog(logger: Logger): RequestHandler {
  if (!logger.isLevelEnabled('info')) return (_request, _response, next) => next();

  return (request: Request, response: Response, next: NextFunction) => {
    const started = performance.now();
    const { socket } = response;
    const bytesBefore = socket?.bytesWritten ?? 0;
    response.on('close', () => {
      logger.info(
        {
          requestId: requestState(request).id,
          traceId: requestState(request).trace?.traceId,
          method: request.method,
          route: routeOf(request),
          project: requestState(request).entered?.name || undefined,
          // A caller who leaves before an answer has begun has got none, not a 200.
          status: response.headersSent ? response.statusCode : undefined,
          durationMs: Math.round((performance.now() - started) * 10) / 10,
          bytes: (socket?.bytesWritten ?? 0) - bytesBefore,
          caller: callerLabel(request),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
}
