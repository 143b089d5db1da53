/**
 * Every problem this package can answer with, and the only place that gives one its HTTP status.
 * A code is public API: added or deprecated, never renamed. Answers of 500 and above show the title alone.
 */
export const PROBLEMS = {
  invalid_identifier: { status: 400, title: 'An identifier breaks its rule' },
  invalid_request: { status: 400, title: 'The request is not valid' },
  malformed_request: { status: 400, title: 'The request cannot be read' },
  upstream_rejected: { status: 400, title: 'REDCap refused the parameters' },
  unauthenticated: { status: 401, title: 'A credential is needed' },
  sign_in_failed: { status: 401, title: 'This sign-in link cannot be used' },
  insufficient_scope: { status: 403, title: 'The credential lacks a scope' },
  cross_site_request: { status: 403, title: 'The request comes from another site' },
  domain_not_allowed: { status: 403, title: 'Addresses of this domain cannot sign in' },
  recent_sign_in_required: { status: 403, title: 'Sign in again first' },
  route_not_found: { status: 404, title: 'No such route' },
  user_not_found: { status: 404, title: 'No such user' },
  session_not_found: { status: 404, title: 'No such session' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'No acceptable media type' },
  other_account_signed_in: { status: 409, title: 'Another account is signed in' },
  ambiguous_user: { status: 409, title: 'Several users match' },
  idempotency_key_in_use: { status: 409, title: 'The same request is still running' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  uri_too_long: { status: 414, title: 'The URL is too long' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  invalid_records: { status: 422, title: 'Records are not valid' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key belongs to another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  invalid_configuration: { status: 500, title: 'The configuration is not valid' },
  upstream_refused: { status: 502, title: 'REDCap refused this service' },
  upstream_invalid: { status: 502, title: 'REDCap answered something unexpected' },
  incomplete_export: { status: 502, title: 'REDCap left records out of an export' },
  import_interrupted: { status: 502, title: 'An import stopped part of the way' },
  identity_refused: { status: 502, title: 'The identity backend refused this service' },
  upstream_unavailable: { status: 503, title: 'REDCap did not answer' },
  identity_unavailable: { status: 503, title: 'The identity backend did not answer' },
  overloaded: { status: 503, title: 'The service is busy' },
  cancelled: { status: 503, title: 'The call was cancelled' },
  upstream_timeout: { status: 504, title: 'REDCap took too long' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;
