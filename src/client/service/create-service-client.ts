import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from '../../../build/openapi-types.js';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import {
  API_KEY_RULE,
  isApiKey,
  PROJECT_NAME,
  PROJECT_NAME_RULE,
} from '../../domain/identifiers/setting-forms.js';
import { checkCalls, randomId, optionProblems, type Rule } from './check-calls.js';
import { resilientFetch, type FetchPolicy } from './resilient-fetch.js';

/** The options of `createServiceClient`. Only `baseUrl` is required. */
export interface ServiceClientConfig extends FetchPolicy {
  /** The URL of the service, such as `https://crf.example.org`. */
  readonly baseUrl: string;
  /** The name of the project, of a service that has several: every call is made below `/projects/{project}`. */
  readonly project?: string | undefined;
  /** An API key of the service, `crf_…`. Omit it if the service is open, or if a browser sends a session cookie. */
  readonly apiKey?: string | undefined;
  /** The `fetch` function; `globalThis.fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** The media types of results as they are typed. With `Accept: text/csv` and `parseAs: 'text'`, a result is a text. */
type Media = 'application/json' | 'application/problem+json';

/** A client of this service, typed by its OpenAPI document. */
export type ServiceClient = Client<paths, Media>;

/**
 * Creates a typed client of the REST API. Every result is `{ data, error, response }`, where `error` is the problem
 * document, whose `instance` is the request id. A call without an answer rejects with `ServiceUnavailableError`,
 * `ServiceTimeoutError` or `CancelledError`, which has it as `requestId`. The service writes it to its log.
 *
 * A call has a time limit. Reads, and writes with an `Idempotency-Key`, which are never made twice, are retried after
 * 429, 503 or a network failure, observing `Retry-After`. Imports, deletions and renames get such a key if they have
 * none. The API key is sent only to `baseUrl`, and redirects are refused, so that no other host gets it.
 *
 * A body that is a text, a file or a form is sent unchanged, as the media type in `headers`; anything else as JSON.
 *
 * A call rejects with `InvalidRequestError` if it has an option that does not exist, such as `query` outside `params`.
 *
 * @throws {ConfigurationError} names every invalid option, but never its value
 */
export function createServiceClient(config: ServiceClientConfig): ServiceClient {
  checkConfig(config);
  const { baseUrl, project, apiKey, fetch = (request) => globalThis.fetch(request) } = config;
  const client = createClient<paths, Media>({
    baseUrl: baseUrl.replace(/\/+$/, '') + (project === undefined ? '' : `/projects/${project}`),
    redirect: 'error',
    bodySerializer: toBody,
    // `fields=a&fields=b`, as in the OpenAPI document.
    querySerializer: { array: { style: 'form', explode: true } },
    fetch: resilientFetch(fetch, config),
  });
  client.use(IDEMPOTENCY_KEYS);
  if (apiKey !== undefined) client.use(authorization(apiKey));
  checkCalls(client);
  return client;
}

/** No operation takes JSON that is only a text, so a text is CSV or NDJSON. */
function toBody(body: unknown): unknown {
  const isReady =
    typeof body === 'string' || FILES.some((kind) => body instanceof kind) || ArrayBuffer.isView(body);
  return isReady ? body : JSON.stringify(body);
}

const FILES = [Blob, ArrayBuffer, FormData];

/** The longest time, in milliseconds, that a timer waits for: it ends a longer one at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

const aNumber = (rule: string, most = Infinity): Rule => [
  (value) => value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most),
  rule,
];
const aTime = aNumber(`must be a whole number from 0 to ${LONGEST_TIMER_MS}`, LONGEST_TIMER_MS);

const OPTIONS: Readonly<Record<keyof ServiceClientConfig, Rule>> = {
  baseUrl: [isBaseUrl, 'must be an absolute http: or https: URL without credentials, query and fragment'],
  project: [
    (name) => name === undefined || (typeof name === 'string' && PROJECT_NAME.test(name)),
    PROJECT_NAME_RULE,
  ],
  apiKey: [(key) => key === undefined || isApiKey(key), API_KEY_RULE],
  fetch: [(fetch) => fetch === undefined || typeof fetch === 'function', 'must be a function'],
  timeoutMs: aTime,
  maxRetries: aNumber('must be a whole number of at least 0'),
  maxRetryAfterMs: aTime,
};

function checkConfig(config: unknown): void {
  const problems = optionProblems(config, OPTIONS);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

function isBaseUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

/** The writes that the service recognizes as repeated by their key. */
const KEYED_OPERATIONS: ReadonlySet<string> = new Set([
  'POST /api/v1/records',
  'POST /api/v1/records/delete',
  'POST /api/v1/records/{record}/rename',
]);

/** Adds a new idempotency key to each write that supports one and has none. */
const IDEMPOTENCY_KEYS: Middleware = {
  onRequest({ request, schemaPath }) {
    const isKeyed = KEYED_OPERATIONS.has(`${request.method} ${schemaPath}`);
    if (isKeyed && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', randomId());
    }
    return request;
  },
};

function authorization(apiKey: string): Middleware {
  return {
    onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${apiKey}`);
      return request;
    },
  };
}
