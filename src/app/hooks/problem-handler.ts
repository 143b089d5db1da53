import type { ErrorRequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import { sendProblem } from '../../http/send-problem.js';

/**
 * Responds to the errors of this package with problem documents, and leaves all others to the host application. Mount
 * it after the routes that use the hooks.
 */
export function problemHandler(): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    // A configuration mistake of the host is for its developer, not its visitors.
    const isOurs = error instanceof CrfError && !(error instanceof ConfigurationError);
    if (!isOurs || response.headersSent) return next(error);
    error.requestId ??= randomUUID();
    sendProblem(response, error);
  };
}
