import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { UnauthenticatedError } from '../../../domain/errors/access-errors.js';
import type { Caller } from '../../../services/access/access-control.js';
import type { LimitStoreFactory } from './limit-store.js';
import { callLimit, networkOf } from './limits.js';

export interface ApiLimitsOptions {
  /**
   * Calls per minute for each API key, signed-in person, or network without a credential; 600 by default, 0 for no
   * limit.
   */
  readonly callsPerMinute?: number | undefined;
  /** Calls per minute from one network with a missing or invalid credential; 60 by default, 0 for no limit. */
  readonly failedAuthPerMinute?: number | undefined;
  /**
   * Where calls and sign-in attempts are counted, to share the counts between processes; in this process's memory by
   * default. While a store fails, signup and login are refused with 503, and all other calls are counted in memory
   * (RATE-06).
   */
  readonly stores?: LimitStoreFactory | undefined;
  /** Returns the caller, with the name under which their calls are counted. */
  readonly callerOf: (request: Request) => Promise<Pick<Caller, 'kind' | 'name'>>;
}

const MINUTE = 60_000;

/** Handlers that limit calls to the API (RATE-01). */
export interface ApiLimits {
  /** For routes that require a credential. */
  readonly byCaller: RequestHandler;
  /** For routes that do not. */
  readonly byNetwork: RequestHandler;
}

/**
 * Creates limits per caller, and per network for callers without a valid credential. A valid credential is never
 * refused because of the failures of others in its network: a whole hospital may share one address.
 */
export function createApiLimits(options: ApiLimitsOptions): ApiLimits {
  const { callsPerMinute = 600, failedAuthPerMinute = 60, callerOf, stores } = options;
  const shared = { windowMs: MINUTE, stores };
  const countCall = callLimit({ name: 'api-minute', limit: callsPerMinute, ...shared });
  const countFailure = callLimit({ name: 'failed-auth-minute', limit: failedAuthPerMinute, ...shared });

  return {
    byCaller: async (request: Request, response: Response, next: NextFunction) => {
      const caller = await knownCaller(callerOf, request);
      if (caller === 'nobody') await countFailure(networkOf(request), response);
      else await countCall(caller, response);
      next();
    },
    byNetwork: async (request: Request, response: Response, next: NextFunction) => {
      await countCall(networkOf(request), response);
      next();
    },
  };
}

/**
 * Returns the name under which a call is counted, or `nobody` without a valid credential, which the route itself
 * reports.
 */
async function knownCaller(callerOf: ApiLimitsOptions['callerOf'], request: Request): Promise<string> {
  try {
    const { kind, name } = await callerOf(request);
    // In each project apart, as the name is.
    return kind === 'anonymous' ? name.replace(kind, networkOf(request)) : name;
  } catch (error) {
    return error instanceof UnauthenticatedError ? 'nobody' : networkOf(request);
  }
}
