import { InsufficientScopeError } from '../../errors/caller-errors.js';
import type { ReplaceOptions } from '../../gateways/redcap/crf-client.js';

/** How arms or events are put, and what the caller may do. */
export interface ReplacementOptions extends ReplaceOptions {
  /** Whether the caller has `design:delete`: what is replaced is deleted with its data. */
  readonly mayDelete: boolean;
}

/**
 * Returns the options of the call to REDCap.
 *
 * @throws {InsufficientScopeError} a replacement is requested by a caller who may not delete
 */
export function checkReplacement({ mayDelete, ...options }: ReplacementOptions): ReplaceOptions {
  if (options.isReplacement === true && !mayDelete) throw new InsufficientScopeError(['design:delete']);
  return options;
}
