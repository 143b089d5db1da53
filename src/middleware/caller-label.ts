import type { Caller } from '../services/access/access-control.js';

/**
 * Returns the name of the caller in logs: the name of a key, or the pseudonym of a person, as in the sign-in events.
 */
export function callerLabel({ kind, name, user }: Caller, pseudonymOf: (userId: string) => string): string {
  return kind === 'session' && user !== undefined ? `session:${pseudonymOf(user.id)}` : name;
}
