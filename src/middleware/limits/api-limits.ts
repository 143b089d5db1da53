import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { UnauthenticatedError } from '../../errors/caller-errors.js';
import type { Caller } from '../../services/access/access-control.js';
import { CallLimit } from './call-limit.js';
import type { LimitStoreFactory } from './limit-store.js';
import { networkOf } from './limiter.js';

export interface ApiLimitsOptions {
  /** Calls a minute of one caller: an API key, a signed-in person, or a network without either; 600 by default, 0 for no limit. */
  readonly callsPerMinute?: number | undefined;
  /** Calls a minute from one network whose credential is missing or wrong; 60 by default, 0 for no limit. */
  readonly failedAuthPerMinute?: number | undefined;
  /** Counts for several processes together; while it fails, each counts for itself (RATE-06). */
  readonly stores?: LimitStoreFactory | undefined;
  /** The caller, as the route will see it. */
  readonly callerOf: (request: Request) => Promise<Caller>;
}

/** How often the API may be called (RATE-01). */
export interface ApiLimits {
  /** In front of routes that ask for a credential. */
  readonly byCaller: RequestHandler;
  /** In front of routes that do not. */
  readonly byNetwork: RequestHandler;
}

/**
 * Limits per caller, and per network for those who are nobody. A valid credential is never refused for what others in
 * its network get wrong: a whole hospital can stand behind one address.
 */
export function createApiLimits(options: ApiLimitsOptions): ApiLimits {
  const { callsPerMinute = 600, failedAuthPerMinute = 60, callerOf, stores } = options;
  const calls = new CallLimit({ name: 'api-minute', perMinute: callsPerMinute, stores });
  const failures = new CallLimit({ name: 'failed-auth-minute', perMinute: failedAuthPerMinute, stores });

  return {
    byCaller: async (request: Request, response: Response, next: NextFunction) => {
      const caller = await knownCaller(callerOf, request);
      const counted =
        caller === 'nobody' ? failures.count(networkOf(request), response) : calls.count(caller, response);
      if (counted !== undefined) await counted;
      next();
    },
    byNetwork: (request: Request, response: Response, next: NextFunction) => {
      const counted = calls.count(networkOf(request), response);
      if (counted === undefined) next();
      else void counted.then(() => next(), next);
    },
  };
}

/** @returns under which name a call is counted, or `nobody`: what is wrong with the credential is for the route to say */
async function knownCaller(callerOf: ApiLimitsOptions['callerOf'], request: Request): Promise<string> {
  try {
    const { kind, name } = await callerOf(request);
    return kind === 'anonymous' ? networkOf(request) : name;
  } catch (error) {
    return error instanceof UnauthenticatedError ? 'nobody' : networkOf(request);
  }
}
