import type { Request } from 'express';
import { appState } from './app-state.js';
import { requestState, routeOf } from './request-state.js';
import type { Caller } from '../services/access/access-control.js';

const CHANGE = /:(?:write|delete)$/;

/**
 * Logs a warning before a caller without a credential changes the project of an open service, because nobody else will
 * know who did. The sandbox has nothing to protect. A dry run changes nothing.
 */
export function warnOfOpenChange(
  request: Request,
  { kind }: Pick<Caller, 'kind'>,
  scopes: readonly string[],
): void {
  const { isSandbox, logger } = appState(request);
  const state = requestState(request);
  if (kind !== 'anonymous' || isSandbox || state.isOpenChange || request.query['dryRun'] === 'true') return;
  if (!scopes.some((scope) => CHANGE.test(scope))) return;
  state.isOpenChange = true;
  const { id: requestId } = state;
  logger.warn(
    { requestId, method: request.method, route: routeOf(request) },
    'OPEN: a caller without a credential changes the project',
  );
}
