import type { Environment } from './secret-files.js';

/** @returns whether a stream may be drawn on: a terminal that can, and nobody asked for plain text (CLI-01) */
export function isAnimated(
  { isTTY }: { readonly isTTY?: boolean },
  environment: Environment = process.env,
): boolean {
  return isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
}
