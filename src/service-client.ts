import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from '../build/openapi-types.js';
import {
  aFunction,
  aNumber,
  required,
  optional,
  optionProblems,
  refuseProblems,
} from './errors/check-options.js';
import { resilientFetch, type FetchPolicy } from './service-client/resilient-fetch.js';

export interface ServiceClientConfig extends FetchPolicy {
  /** Where the service is: `https://crf.example.org`. */
  readonly baseUrl: string;
  /** An API key of the service, `crf_…`. Left out where the service is open, or where a browser sends its session. */
  readonly apiKey?: string | undefined;
  /** `globalThis.fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** What the client reads: records come as NDJSON and CSV too, for whoever asks for those. */
type Media = 'application/json' | 'application/problem+json';

/** A client of this service, typed by its own OpenAPI document. */
export type ServiceClient = Client<paths, Media>;

/**
 * Makes a typed client of the REST API. Every answer is `{ data, error, response }`: `error` is the problem document.
 *
 * A call has a time limit, and is tried once more after 429, 503 or a failure of the network, as `Retry-After` says: every
 * read, and an import under one `Idempotency-Key`, so that nothing is stored twice. The key goes to `baseUrl` alone: redirects
 * are refused, so that no other host ever gets it.
 *
 * @throws {ConfigurationError} naming every option that is wrong, never its value
 */
export function createServiceClient(config: ServiceClientConfig): ServiceClient {
  refuseProblems(optionProblems(config, OPTIONS));
  const { baseUrl, apiKey, fetch = (request) => globalThis.fetch(request) } = config;
  const client = createClient<paths, Media>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    redirect: 'error',
    // `fields=a&fields=b`, as the document has it.
    bodySerializer: toBody,
    querySerializer: { array: { style: 'form', explode: true } },
    fetch: resilientFetch(fetch, config),
  });
  client.use(IDEMPOTENCY_KEYS);
  if (apiKey !== undefined) client.use(authorization(apiKey));
  return client;
}

/** A file goes as it is; anything else as JSON. */
function toBody(body: unknown): unknown {
  const isFile = body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  return isFile ? body : JSON.stringify(body);
}

const OPTIONS = {
  baseUrl: required(
    isBaseUrl,
    'must be an absolute http: or https: URL without credentials, query and fragment',
  ),
  // Anything else could not stand in a header.
  apiKey: optional(
    (key) => typeof key === 'string' && /^[\x21-\x7e]+$/.test(key),
    'must be one line of printable characters without blanks',
  ),
  fetch: aFunction,
  timeoutMs: aNumber(0),
  maxRetries: aNumber(0),
  maxRetryAfterMs: aNumber(0),
};

function isBaseUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

/** The writes that the service knows again by a key. */
const KEYED_OPERATIONS: ReadonlySet<string> = new Set(['POST /api/v1/records']);

/** A key of its own for each write that takes one and has none. */
const IDEMPOTENCY_KEYS: Middleware = {
  onRequest({ request, schemaPath }) {
    const isKeyed = KEYED_OPERATIONS.has(`${request.method} ${schemaPath}`);
    if (isKeyed && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', crypto.randomUUID());
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
