import { InvalidRequestError } from '../errors/caller-errors.js';
import { aGroup, checkedLater, optionProblems, type OptionRules } from '../errors/check-options.js';

const PARAMS = { query: checkedLater, path: checkedLater, header: checkedLater, cookie: checkedLater };

/** The options of `openapi-fetch`, of `fetch`, and of the `fetch` functions of other platforms. */
const INIT: OptionRules = {
  params: aGroup(PARAMS),
  body: checkedLater,
  headers: checkedLater,
  signal: checkedLater,
  baseUrl: checkedLater,
  querySerializer: checkedLater,
  bodySerializer: checkedLater,
  pathSerializer: checkedLater,
  parseAs: checkedLater,
  fetch: checkedLater,
  Request: checkedLater,
  middleware: checkedLater,
  cache: checkedLater,
  credentials: checkedLater,
  dispatcher: checkedLater,
  duplex: checkedLater,
  integrity: checkedLater,
  keepalive: checkedLater,
  mode: checkedLater,
  redirect: checkedLater,
  referrer: checkedLater,
  referrerPolicy: checkedLater,
  window: checkedLater,
  priority: checkedLater,
  next: checkedLater,
  cf: checkedLater,
};

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const;

type Send = (...given: readonly unknown[]) => Promise<unknown>;

/**
 * Makes a client refuse options of a call that do not exist. It would ignore them, and its types allow any name: a
 * `query` beside `params` instead of within it would export every record.
 */
export function checkCalls(client: object): void {
  for (const method of METHODS) replace(client, method, 1);
  replace(client, 'request', 2);
}

/** @param at the position of the options */
function replace(client: object, method: string, at: number): void {
  const send = Reflect.get(client, method) as Send;
  const checked: Send = async (...given) => {
    const init = given[at];
    const problems = init === undefined ? [] : optionProblems(init, INIT);
    if (problems.length > 0) throw new InvalidRequestError(problems);
    return send(...given);
  };
  Object.assign(client, { [method]: checked });
}
