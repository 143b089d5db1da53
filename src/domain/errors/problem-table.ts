/** What is to be known of a problem. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  /** Whether the same call may succeed later without changes; not by default. */
  readonly isRetryable?: true;
  /** The time to wait, unless an error says another one. */
  readonly retryAfterSeconds?: number;
}

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
  cross_site_request: { status: 403, title: 'The request comes from another site' },
  upstream_forbidden: { status: 403, title: "REDCap's user rights do not allow this" },
  domain_not_allowed: { status: 403, title: 'Addresses of this domain cannot sign in' },
  proxied_request: { status: 403, title: 'Requests through a proxy are refused' },
  recent_sign_in_required: { status: 403, title: 'Sign in again first' },
  route_not_found: { status: 404, title: 'No such route' },
  project_not_found: { status: 404, title: 'No such project' },
  project_required: { status: 404, title: 'The path has to name a project' },
  name_not_found: { status: 404, title: 'The project has nothing of this name' },
  record_not_found: { status: 404, title: 'No such record' },
  user_not_found: { status: 404, title: 'No such user' },
  file_not_found: { status: 404, title: 'No such file' },
  report_not_found: { status: 404, title: 'No such report' },
  not_deidentified: { status: 404, title: 'This export is not de-identified' },
  session_not_found: { status: 404, title: 'No such session' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'No acceptable media type' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  slow_reader: { status: 408, title: 'The export was read too slowly' },
  other_account_signed_in: { status: 409, title: 'Another account is signed in' },
  ambiguous_user: { status: 409, title: 'Several users match' },
  idempotency_key_in_use: {
    status: 409,
    title: 'The same request is still running',
    isRetryable: true,
    retryAfterSeconds: 1,
  },
  copy_stopped: { status: 409, title: 'A copy was not updated' },
  import_outcome_unknown: { status: 409, title: 'The outcome of an import is unknown' },
  precondition_failed: { status: 412, title: 'Somebody has changed this' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  uri_too_long: { status: 414, title: 'The URL is too long' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  unexpected_host: { status: 421, title: 'The service does not accept this host name' },
  invalid_records: { status: 422, title: 'Records are not valid' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key belongs to another request' },
  rate_limited: { status: 429, title: 'Too many requests', isRetryable: true },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  invalid_configuration: { status: 500, title: 'The configuration is not valid' },
  not_supported_upstream: { status: 501, title: 'This version of REDCap does not support the operation' },
  upstream_refused: { status: 502, title: 'REDCap refused this service' },
  upstream_banned: { status: 502, title: 'REDCap has banned the address of this service' },
  upstream_invalid: { status: 502, title: 'REDCap returned an unexpected response' },
  incomplete_export: { status: 502, title: 'REDCap left records out of an export', isRetryable: true },
  import_interrupted: { status: 502, title: 'An import stopped partway' },
  import_incomplete: { status: 502, title: 'REDCap did not count every record of an import' },
  identity_refused: { status: 502, title: 'The identity backend refused this service' },
  upstream_offline: { status: 503, title: 'REDCap is offline for maintenance', isRetryable: true },
  upstream_unavailable: { status: 503, title: 'REDCap did not answer', isRetryable: true },
  identity_unavailable: {
    status: 503,
    title: 'The identity backend did not answer',
    isRetryable: true,
    retryAfterSeconds: 5,
  },
  policy_invalid: { status: 503, title: 'The policy of the caller does not fit the project' },
  audit_unavailable: {
    status: 503,
    title: 'The audit log cannot be written',
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
