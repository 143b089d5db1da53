import type { Environment } from './secret-files.js';

/** Whether a stream can show animations: a capable terminal, and no request for plain text (CLI-01). */
export function isAnimated(
  { isTTY }: { readonly isTTY?: boolean },
  environment: Environment = process.env,
): boolean {
  return isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
}
