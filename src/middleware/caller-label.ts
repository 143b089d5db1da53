import type { Caller } from '../services/access/access-control.js';

/** @returns the caller as logs name it: a key by its name, a person by a pseudonym, the same as in the events of the sign-in */
export function callerLabel({ kind, name, user }: Caller, pseudonymOf: (userId: string) => string): string {
  return kind === 'session' && user !== undefined ? `session:${pseudonymOf(user.id)}` : name;
}
