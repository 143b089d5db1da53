import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from '../build/openapi-types.js';

export interface ServiceClientConfig {
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
 * The key goes to `baseUrl` alone: redirects are refused, so that no other host ever gets it.
 */
export function createServiceClient({ baseUrl, apiKey, fetch }: ServiceClientConfig): ServiceClient {
  const client = createClient<paths, Media>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    redirect: 'error',
    // `fields=a&fields=b`, as the document has it.
    querySerializer: { array: { style: 'form', explode: true } },
    ...(fetch && { fetch }),
  });
  if (apiKey !== undefined) client.use(authorization(apiKey));
  return client;
}

function authorization(apiKey: string): Middleware {
  return {
    onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${apiKey}`);
      return request;
    },
  };
}
