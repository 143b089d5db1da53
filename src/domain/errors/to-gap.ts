import { CrfError } from './crf-error.js';

/**
 * For `catch`: turns an error of this package into a gap, such as a figure that the token has no right to.
 *
 * @throws every other error, because it is a mistake in the program
 */
export function toGap(error: unknown): undefined {
  if (!(error instanceof CrfError)) throw error;
  return undefined;
}
