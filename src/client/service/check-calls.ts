import type { Middleware } from 'openapi-fetch';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { nearestName } from '../../domain/identifiers/nearest-name.js';

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

/** Whether a value is right, and the rule, which completes a sentence that starts with the option's name. */
export type Rule = readonly [isRight: (value: unknown) => boolean, rule: string];

/**
 * Checks options by hand: browsers load this client, which the schemas of `identifiers/check-options.ts` would make more than
 * four times as large.
 *
 * @param rules the rules by the names of the options
 * @param group the prefix of the names, such as `params`
 */
export function optionProblems(
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
  group = '',
): FieldProblem[] {
  if (!isObject(options)) return [{ field: group || 'options', message: 'must be an object' }];
  const prefix = group && `${group}.`;
  const names = Object.keys(rules);
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(rules, name));
  const wrong = Object.entries(rules).filter(([name, [isRight]]) => !isRight(options[name]));
  return [
    ...unknown.map((name) => {
      const meant = nearestName(name, names);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return { field: `${prefix}${name}`, message: `is not an option${hint}` };
    }),
    ...wrong.map(([name, [, rule]]) => ({ field: `${prefix}${name}`, message: rule })),
  ];
}

/** The rules of options whose values `fetch` and `openapi-fetch` check. */
export function anyValues(...names: readonly string[]): Readonly<Record<string, Rule>> {
  return Object.fromEntries(names.map((name) => [name, [() => true, '']]));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
