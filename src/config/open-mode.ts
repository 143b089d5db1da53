import type { Environment } from './secret-files.js';

/**
 * Whether the service asks nobody for a credential only because nothing was said about it: then it is for this machine
 * alone.
 *
 * @param given the environment as `withSecretFiles` answers it
 */
export function isOpenByDefault(given: Environment): boolean {
  return (
    given.ALLOW_ANONYMOUS === undefined &&
    given.API_KEYS === undefined &&
    given.APPWRITE_ENDPOINT === undefined
  );
}
