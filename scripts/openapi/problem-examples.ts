import { unknownName } from '../../src/domain/identifiers/nearest-name.js';
import * as errors from '../../src/domain/errors/index.js';
import { PROBLEMS, type CrfError, type ProblemCode } from '../../src/domain/errors/index.js';
import { toProblem } from '../../src/http/send-problem.js';

/** An error of each code, as this service would throw it. A code without one does not compile. */
const EXAMPLES: Readonly<Record<ProblemCode, CrfError>> = {
  invalid_identifier: new errors.InvalidIdentifierError('A record id', 'must have 20 to 100 characters'),
  invalid_request: new errors.InvalidRequestError([unknownName('field', 'fields[1]', 'agee', ['age'])]),
  malformed_request: new errors.MalformedRequestError('The body is not valid JSON.'),
  upstream_rejected: new errors.UpstreamRejectedError('Surveys are not enabled in this project.'),
  unauthenticated: new errors.UnauthenticatedError(),
  sign_in_failed: new errors.SignInFailedError(),
  insufficient_scope: new errors.InsufficientScopeError(['records:write']),
  not_in_policy: new errors.NotInPolicyError(),
  cross_site_request: new errors.ProblemError('cross_site_request'),
  upstream_forbidden: new errors.UpstreamForbiddenError('API Export'),
  domain_not_allowed: new errors.ProblemError('domain_not_allowed'),
  proxied_request: new errors.ProblemError('proxied_request'),
  recent_sign_in_required: new errors.ProblemError('recent_sign_in_required'),
  route_not_found: new errors.ProblemError('route_not_found'),
  project_not_found: new errors.ProblemError('project_not_found'),
  project_required: new errors.ProblemError('project_required'),
  name_not_found: new errors.ProblemError('name_not_found', {
    errors: [unknownName('instrument', 'instrument', 'vitalls')],
  }),
  record_not_found: new errors.ProblemError('record_not_found'),
  user_not_found: new errors.ProblemError('user_not_found'),
  file_not_found: new errors.ProblemError('file_not_found'),
  report_not_found: new errors.ProblemError('report_not_found'),
  not_deidentified: new errors.ProblemError('not_deidentified'),
  session_not_found: new errors.ProblemError('session_not_found'),
  method_not_allowed: new errors.ProblemError('method_not_allowed', { allowed: ['GET', 'HEAD'] }),
  not_acceptable: new errors.ProblemError('not_acceptable', { available: ['application/json', 'text/csv'] }),
  request_timeout: new errors.ProblemError('request_timeout'),
  slow_reader: new errors.ProblemError('slow_reader'),
  other_account_signed_in: new errors.ProblemError('other_account_signed_in'),
  ambiguous_user: new errors.ProblemError('ambiguous_user'),
  idempotency_key_in_use: new errors.ProblemError('idempotency_key_in_use'),
  copy_stopped: new errors.CopyStoppedError('Another process is writing this copy: wait until it has ended.'),
  import_outcome_unknown: new errors.ProblemError('import_outcome_unknown'),
  precondition_failed: new errors.ProblemError('precondition_failed'),
  payload_too_large: new errors.ProblemError('payload_too_large', { limitBytes: 16_777_216 }),
  uri_too_long: new errors.ProblemError('uri_too_long', { limitBytes: 16_384 }),
  unsupported_media_type: new errors.ProblemError('unsupported_media_type', {
    supported: ['application/json'],
  }),
  unexpected_host: new errors.ProblemError('unexpected_host'),
  invalid_records: new errors.InvalidRecordsError([
    {
      record: 'COHORT-2026-PARTICIPANT-0001',
      field: 'age',
      message: 'must be a whole number',
      row: 17,
      line: 18,
    },
  ]),
  idempotency_key_reused: new errors.ProblemError('idempotency_key_reused'),
  rate_limited: new errors.RateLimitedError(30),
  headers_too_large: new errors.ProblemError('headers_too_large'),
  internal_error: new errors.ProblemError('internal_error'),
  invalid_configuration: new errors.ConfigurationError([]),
  not_supported_upstream: new errors.NotSupportedUpstreamError('record/randomize', '13.7.0'),
  upstream_refused: new errors.UpstreamRefusedError(),
  upstream_banned: new errors.ProblemError('upstream_banned'),
  upstream_invalid: new errors.UpstreamInvalidError('REDCap returned HTML.'),
  incomplete_export: new errors.IncompleteExportError([]),
  import_interrupted: new errors.ImportInterruptedError(1000, 1000, {
    doubtful: [{ from: 1000, to: 2000 }],
    storedLater: [{ from: 2000, to: 3000 }],
  }),
  import_incomplete: new errors.ImportIncompleteError(
    1000,
    1000,
    { sent: 1000, counted: 998 },
    { doubtful: [{ from: 1000, to: 2000 }] },
  ),
  identity_refused: new errors.ProblemError('identity_refused'),
  upstream_offline: new errors.ProblemError('upstream_offline'),
  upstream_unavailable: new errors.UpstreamUnavailableError('connect'),
  identity_unavailable: new errors.ProblemError('identity_unavailable'),
  policy_invalid: new errors.PolicyInvalidError(
    [{ field: 'forms.visit', message: 'is not an instrument of the project' }],
    'monitor',
  ),
  audit_unavailable: new errors.ProblemError('audit_unavailable'),
  overloaded: new errors.OverloadedError(),
  shared_state_unavailable: new errors.SharedStateUnavailableError('timeout'),
  cancelled: new errors.CancelledError(),
  service_unavailable: new errors.ServiceUnavailableError('crf.example.org'),
  service_timeout: new errors.ServiceTimeoutError('crf.example.org', 120_000),
  upstream_timeout: new errors.UpstreamTimeoutError('first byte'),
};

/** All codes, in the order of the table of problems. */
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** @returns the problem document that the service sends for an error of this code */
export function exampleProblem(code: ProblemCode): object {
  const error = EXAMPLES[code];
  error.requestId = '0b9cdd0c-2a2f-4a0d-9d53-5a3f27b7d1b1';
  return toProblem(error);
}
