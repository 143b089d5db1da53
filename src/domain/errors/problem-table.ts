/** What is to be known of a problem. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  /** The sentence that says what to do next; without one, the problem has a class, which makes its sentences. */
  readonly advice?: string | ((details: never) => string);
  /** Whether the same call may succeed later without changes; not by default. */
  readonly isRetryable?: true;
  /** The time to wait, unless an error says another one. */
  readonly retryAfterSeconds?: number;
}

/** What gives a proxy away: a header that proxies add, or HTTP/1.0, which nothing else speaks by default. */
const PROXY_SIGNS = {
  header: 'came through a proxy',
  'http-1.0': 'speaks HTTP/1.0, as a proxy does that is not configured for HTTP/1.1',
} as const;

type ProxySign = keyof typeof PROXY_SIGNS;

/** Made on first use, because loading the language data takes several milliseconds at start. */
const eitherOf = (choices: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);

/**
 * Every problem that this package can return, with its HTTP status, which is defined only here. A code is public API:
 * it may be added or deprecated, but never renamed. Responses with status 500 and above show only the title.
 */
export const PROBLEMS = {
  invalid_identifier: { status: 400, title: 'An identifier is not valid' },
  invalid_request: { status: 400, title: 'The request is not valid' },
  malformed_request: { status: 400, title: 'The request cannot be read' },
  upstream_rejected: { status: 400, title: 'REDCap refused the parameters' },
  unauthenticated: { status: 401, title: 'A credential is required' },
  sign_in_failed: { status: 401, title: 'This sign-in link cannot be used' },
  insufficient_scope: { status: 403, title: 'The credential lacks a scope' },
  not_in_policy: { status: 403, title: 'The policy does not allow this' },
  cross_site_request: {
    status: 403,
    title: 'The request comes from another site',
    advice: 'This request must come from a page of this service.',
  },
  upstream_forbidden: { status: 403, title: "REDCap's user rights do not allow this" },
  domain_not_allowed: {
    status: 403,
    title: 'Addresses of this domain cannot sign in',
    advice: ({ domains = [] }: { readonly domains?: readonly string[] }) =>
      `Addresses of this domain cannot sign in here. Use an address of ${domains.length === 0 ? 'an allowed domain' : domains.join(' or ')}.`,
  },
  proxied_request: {
    status: 403,
    title: 'Requests through a proxy are refused',
    advice: ({ sign = 'header' }: { readonly sign?: ProxySign }) =>
      `Without configured credentials, the service accepts requests only from this machine, and this request ${PROXY_SIGNS[sign]}. Create a key with crf key create and set API_KEYS, or set APPWRITE_*, or ALLOW_ANONYMOUS=true if everyone who can reach the service may read and write.`,
  },
  recent_sign_in_required: {
    status: 403,
    title: 'Sign in again first',
    advice: 'Sign in again to confirm that it is you, then repeat this.',
  },
  route_not_found: {
    status: 404,
    title: 'No such route',
    advice: ({ routesAt = '/openapi.json' }: { readonly routesAt?: string }) =>
      `Nothing is served at this path. See ${routesAt} for the routes.`,
  },
  project_not_found: {
    status: 404,
    title: 'No such project',
    advice: 'You have no such project here. GET /api/v1/projects lists yours.',
  },
  project_required: {
    status: 404,
    title: 'The path has to name a project',
    advice:
      'This service has several projects: put /projects/{project} in front of the path. GET /api/v1/projects lists yours.',
  },
  record_not_found: {
    status: 404,
    title: 'No such record',
    advice: 'No record of this project has this id. Check the id; nothing was changed.',
  },
  user_not_found: {
    status: 404,
    title: 'No such user',
    advice: 'No user of this project has this email address.',
  },
  file_not_found: {
    status: 404,
    title: 'No such file',
    advice: 'No file is stored there. Check the record, the field, the event and the repeat instance.',
  },
  report_not_found: {
    status: 404,
    title: 'No such report',
    advice:
      "No report of this project has this number, or the token's user may not see it. The numbers are in REDCap's list of reports.",
  },
  not_deidentified: {
    status: 404,
    title: 'This export is not de-identified',
    advice:
      'Your exports have the values as they are stored, so that there is nothing a manifest could say. It describes exports under a policy that de-identifies.',
  },
  session_not_found: { status: 404, title: 'No such session', advice: 'You have no such session.' },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    advice: ({ allowed }: { readonly allowed: readonly string[] }) =>
      `Use ${allowed.join(', ')} on this path.`,
  },
  not_acceptable: {
    status: 406,
    title: 'No acceptable media type',
    advice: ({ available }: { readonly available: readonly string[] }) => `Accept ${eitherOf(available)}.`,
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    advice: 'The request did not arrive in time. Send it again.',
  },
  slow_reader: {
    status: 408,
    title: 'The export was read too slowly',
    advice: 'The export was read too slowly. Read it faster, or request less at a time.',
  },
  other_account_signed_in: {
    status: 409,
    title: 'Another account is signed in',
    advice: 'Another account is signed in here. Sign out first, or confirm the link in a browser.',
  },
  ambiguous_user: {
    status: 409,
    title: 'Several users match',
    advice: 'Several users of this project have this email address. Make it unique in REDCap.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'The same request is still running',
    advice: 'A request with this Idempotency-Key is still running. Repeat it in a moment.',
    isRetryable: true,
    retryAfterSeconds: 1,
  },
  copy_stopped: { status: 409, title: 'A copy was not updated' },
  import_outcome_unknown: {
    status: 409,
    title: 'The outcome of an import is unknown',
    advice:
      'The import with this Idempotency-Key was interrupted and may have stored some of its rows. Check in REDCap which rows are stored, then send the others with a new key.',
  },
  precondition_failed: {
    status: 412,
    title: 'Somebody has changed this',
    advice:
      'This has changed since you read it, so that nothing was changed now. Read it again, then repeat the change with its new ETag or values.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    advice: ({ limitBytes }: { readonly limitBytes: number }) =>
      `The body may have at most ${limitBytes} bytes. Send it in parts.`,
  },
  uri_too_long: {
    status: 414,
    title: 'The URL is too long',
    advice: ({ limitBytes }: { readonly limitBytes: number }) =>
      `The URL may have at most ${limitBytes} bytes. Request fewer fields or records at a time.`,
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    advice: ({ supported }: { readonly supported: readonly string[] }) =>
      `Send the body as ${eitherOf(supported)}.`,
  },
  unexpected_host: {
    status: 421,
    title: 'The service does not accept this host name',
    advice:
      'Without configured credentials, the service accepts requests only from this machine. Use localhost, or set API_KEYS, APPWRITE_* or ALLOW_ANONYMOUS=true.',
  },
  invalid_records: { status: 422, title: 'Records are not valid' },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key belongs to another request',
    advice: 'This Idempotency-Key was used with another request. Send a new key.',
  },
  rate_limited: { status: 429, title: 'Too many requests', isRetryable: true },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    advice: 'The headers of the request are too large. Send fewer or shorter ones.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    advice: 'Something went wrong on our side. Quote the request id when you report it.',
  },
  invalid_configuration: { status: 500, title: 'The configuration is not valid' },
  not_supported_upstream: { status: 501, title: 'This version of REDCap does not support the operation' },
  upstream_refused: { status: 502, title: 'REDCap refused this service' },
  upstream_banned: {
    status: 502,
    title: 'REDCap has banned the address of this service',
    advice:
      'REDCap has banned the network address of this service, usually after too many calls in a minute. Ask the administrators of REDCap to lift the ban, and lower CAPTURE_CALLS_PER_MINUTE.',
  },
  upstream_invalid: { status: 502, title: 'REDCap returned an unexpected response' },
  incomplete_export: { status: 502, title: 'REDCap left records out of an export', isRetryable: true },
  import_interrupted: { status: 502, title: 'An import stopped partway' },
  import_incomplete: { status: 502, title: 'REDCap did not count every record of an import' },
  identity_refused: {
    status: 502,
    title: 'The identity backend refused this service',
    advice: ({
      refusal = 'The identity backend refused this service. Check APPWRITE_* (appwrite in the library) and the scopes of the API key.',
    }: {
      readonly refusal?: string | undefined;
    }) => refusal,
  },
  upstream_offline: {
    status: 503,
    title: 'REDCap is offline for maintenance',
    advice: 'REDCap is offline for maintenance. Try again later; its administrators know when it is back.',
    isRetryable: true,
  },
  upstream_unavailable: { status: 503, title: 'REDCap did not answer', isRetryable: true },
  identity_unavailable: {
    status: 503,
    title: 'The identity backend did not answer',
    advice: ({ reason }: { readonly reason?: string | undefined }) =>
      `The identity backend did not answer${reason === undefined ? '' : `: ${reason}`}. Try again in a moment.`,
    isRetryable: true,
    retryAfterSeconds: 5,
  },
  policy_invalid: { status: 503, title: 'The policy of the caller does not fit the project' },
  audit_unavailable: {
    status: 503,
    title: 'The audit log cannot be written',
    advice: 'The audit log cannot be written. Check the disk and the file that AUDIT_LOG names.',
    isRetryable: true,
    retryAfterSeconds: 5,
  },
  service_unavailable: { status: 503, title: 'The service did not answer', isRetryable: true },
  overloaded: { status: 503, title: 'The service is busy', isRetryable: true },
  shared_state_unavailable: { status: 503, title: 'The shared state did not answer', isRetryable: true },
  cancelled: { status: 503, title: 'The call was cancelled' },
  upstream_timeout: { status: 504, title: 'REDCap took too long', isRetryable: true },
  service_timeout: { status: 504, title: 'The service took too long', isRetryable: true },
} as const satisfies Record<string, Problem>;

/** The stable, public name of a problem. */
export type ProblemCode = keyof typeof PROBLEMS;
