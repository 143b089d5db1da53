import type { Environment } from './secret-files.js';

/**
 * Whether the service requires no credential only because none is configured. In that case it is restricted to this
 * machine.
 *
 * @param given the environment returned by `withSecretFiles`
 */
export function isOpenByDefault(given: Environment): boolean {
  return (
    given.ALLOW_ANONYMOUS === undefined &&
    given.API_KEYS === undefined &&
    given.APPWRITE_ENDPOINT === undefined
  );
}
