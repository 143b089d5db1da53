import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { HeadersTooLargeError, MalformedRequestError, RequestTimeoutError } from '../errors/caller-errors.js';
import type { CrfError } from '../errors/crf-error.js';
import { appState } from './app-state.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { toProblem } from './send-problem.js';

/**
 * What is not HTTP never reaches the application. It is answered here as every other error is: with a problem
 * document, the headers of HDR-01, a request id and a line in the log.
 *
 * @returns a listener of the server's `clientError`
 */
export function refuseUnreadable(app: Express): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (failure, socket) => {
    if (!socket.writable || failure.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const error = errorOf(failure);
    error.requestId = randomUUID();
    const { status, code, requestId } = error;
    loggerOf(app)?.info({ requestId, status, code, parser: failure.code }, 'unreadable request');
    socket.end(toAnswer(error, requestId));
  };
}

function errorOf({ code }: NodeJS.ErrnoException): CrfError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HeadersTooLargeError();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RequestTimeoutError();
    default:
      return new MalformedRequestError('The request is not valid HTTP.');
  }
}

/** An application that `createApp` did not make has no log of ours. */
function loggerOf(app: Express) {
  return (appState(app) as ReturnType<typeof appState> | undefined)?.logger;
}

/** The whole answer as text: there is no response object for a request that could not be read. */
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
