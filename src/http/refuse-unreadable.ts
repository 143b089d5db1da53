import { randomUUID } from 'node:crypto';
import { ProblemError } from '../domain/errors/problem-error.js';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { MalformedRequestError } from '../domain/errors/caller-errors.js';
import type { CrfError } from '../domain/errors/crf-error.js';
import { stateOf } from './app-state.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { toProblem } from './send-problem.js';

/**
 * Responds to requests that are not valid HTTP and never reach the application. Like every other error, they get a
 * problem document, the headers of HDR-01, a request id and a log entry. If an earlier request on the connection is being
 * responded to, the connection is broken off instead, so that its response shows as incomplete (STR-01).
 *
 * @returns a listener for the server's `clientError` event
 */
export function refuseUnreadable(app: Express): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (failure, socket) => {
    if (!socket.writable || failure.code === 'ECONNRESET' || hasBegunResponse(socket)) {
      socket.destroy();
      return;
    }
    const error = errorOf(failure);
    error.requestId = randomUUID();
    const { status, code, requestId } = error;
    stateOf(app)?.logger.info({ requestId, status, code, parser: failure.code }, 'unreadable request');
    socket.end(toAnswer(error, requestId));
  };
}

/**
 * Whether a response is under way, of which anything written now would become a part. Node keeps it in this property,
 * and decides by it in the same way when it has no listener for the event.
 */
function hasBegunResponse(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

function errorOf({ code }: NodeJS.ErrnoException): CrfError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ProblemError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ProblemError('request_timeout');
    default:
      return new MalformedRequestError('The request is not valid HTTP.');
  }
}

/** Returns the whole response as text, because an unreadable request has no response object. */
function toAnswer(error: CrfError, requestId: string): string {
  const body = JSON.stringify(toProblem(error));
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`, ...lines, '', body].join('\r\n');
}
