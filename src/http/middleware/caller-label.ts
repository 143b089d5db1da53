import type { Request } from 'express';
import { appState } from '../app-state.js';
import { requestState } from '../request-state.js';

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
