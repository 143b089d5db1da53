import type { Middleware } from 'openapi-fetch';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import { anyValues, isObject, optionProblems } from './check-options.js';

const PARAMS = anyValues('query', 'path', 'header', 'cookie');

/** The options of `openapi-fetch`, of `fetch`, and of the `fetch` functions of other platforms. */
const INIT = anyValues(
  'params',
  'body',
  'headers',
  'signal',
  'baseUrl',
  'querySerializer',
  'bodySerializer',
  'pathSerializer',
  'parseAs',
  'fetch',
  'Request',
  'middleware',
  'cache',
  'credentials',
  'dispatcher',
  'duplex',
  'integrity',
  'keepalive',
  'mode',
  'redirect',
  'referrer',
  'referrerPolicy',
  'window',
  'priority',
  'next',
  'cf',
);

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const;

type Send = (...given: readonly unknown[]) => Promise<unknown>;

/**
 * Makes a client refuse options of a call that do not exist. It would ignore them, and its types allow any name: a
 * `query` beside `params` instead of within it would export every record. A call that fails without an answer rejects
 * with an error that has the `requestId` of the call.
 */
export function checkCalls(client: object): void {
  for (const method of METHODS) replace(client, method, 1);
  replace(client, 'request', 2);
}

/** @param at the position of the options */
function replace(client: object, method: string, at: number): void {
  const send = Reflect.get(client, method) as Send;
  const checked: Send = (...given) => checkAndSend(send, given, at);
  Object.assign(client, { [method]: checked });
}

async function checkAndSend(send: Send, given: readonly unknown[], at: number): Promise<unknown> {
  const init = given[at] === undefined ? {} : given[at];
  const problems = optionProblems(init, INIT);
  if (isObject(init) && init.params !== undefined) {
    problems.push(...optionProblems(init.params, PARAMS, 'params'));
  }
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const options = init as { readonly middleware?: readonly Middleware[] };
  let requestId: string | undefined;
  const identify: Middleware = {
    onRequest: ({ request }) => {
      requestId = request.headers.get(REQUEST_ID) ?? randomId();
      request.headers.set(REQUEST_ID, requestId);
      return request;
    },
  };
  try {
    return await send(...given.slice(0, at), {
      ...options,
      middleware: [...(options.middleware ?? []), identify],
    });
  } catch (error) {
    if (error instanceof CrfError) error.requestId = requestId;
    throw error;
  }
}

const REQUEST_ID = 'X-Request-Id';

/** Returns 128 random bits. `crypto.randomUUID` does not exist on pages that are served without TLS. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
