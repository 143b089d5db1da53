import {
  UpstreamForbiddenError,
  UpstreamRefusedError,
  UpstreamRejectedError,
} from '../../domain/errors/upstream-errors.js';

/**
 * Returns whether REDCap refused a call. Services that read something only to say more about their own work, such as
 * the missing data codes of a project, go on without it then: a token may have the right to write and not to read.
 */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.some((Refusal) => error instanceof Refusal);
}

const REFUSALS = [UpstreamForbiddenError, UpstreamRefusedError, UpstreamRejectedError];
