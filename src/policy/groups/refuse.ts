import { NotInPolicyError } from '../../domain/errors/access-errors.js';

/** Rejects a call that the policy of the caller does not grant. */
export function refuse(): Promise<never> {
  return Promise.reject(new NotInPolicyError());
}

/** Returns a group of calls that are all refused, by their names. */
export function refused<Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name, typeof refuse>> {
  return Object.fromEntries(names.map((name) => [name, refuse])) as Record<Name, typeof refuse>;
}
