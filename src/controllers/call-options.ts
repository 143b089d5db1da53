import type { Request } from 'express';
import type { CallOptions } from '../gateways/redcap/crf-client.js';
import type { Caller } from '../services/access/access-control.js';

/**
 * What a request hands to the services: a signal that fires when its client goes away before it has its answer
 * (STR-04), and whose turn it is in front of REDCap (UP-05).
 */
export function callOptions(request: Request): CallOptions {
  const { res: response } = request;
  const controller = new AbortController();
  response?.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return { signal: controller.signal, caller: callerName(request) };
}

/** @returns the caller's name, as authentication has put it on the request */
export function callerName(request: Request): string {
  const { user } = request as Request & { readonly user?: Caller };
  return user?.name ?? 'anonymous';
}
