/** Every error of this package: import from here. */
export { CrfError, type CrfErrorOptions } from './crf-error.js';
export type { FieldProblem, RecordProblem } from './field-problem.js';
export { PROBLEMS, type ProblemCode } from './problem-table.js';
export { InvalidIdentifierError } from './invalid-identifier-error.js';
export { InvalidRequestError } from './invalid-request-error.js';
export { MalformedRequestError } from './malformed-request-error.js';
export { UpstreamRejectedError } from './upstream-rejected-error.js';
export { UnauthenticatedError } from './unauthenticated-error.js';
export { SignInFailedError } from './sign-in-failed-error.js';
export { InsufficientScopeError } from './insufficient-scope-error.js';
export { CrossSiteRequestError } from './cross-site-request-error.js';
export { DomainNotAllowedError } from './domain-not-allowed-error.js';
export { ProxiedRequestError } from './proxied-request-error.js';
export { RecentSignInRequiredError } from './recent-sign-in-required-error.js';
export { RouteNotFoundError } from './route-not-found-error.js';
export { UserNotFoundError } from './user-not-found-error.js';
export { SlowReaderError } from './slow-reader-error.js';
export { SessionNotFoundError } from './session-not-found-error.js';
export { MethodNotAllowedError } from './method-not-allowed-error.js';
export { NotAcceptableError } from './not-acceptable-error.js';
export { AmbiguousUserError } from './ambiguous-user-error.js';
export { IdempotencyKeyInUseError } from './idempotency-key-in-use-error.js';
export { IdempotencyKeyReusedError } from './idempotency-key-reused-error.js';
export { PayloadTooLargeError } from './payload-too-large-error.js';
export { UriTooLongError } from './uri-too-long-error.js';
export { UnsupportedMediaTypeError } from './unsupported-media-type-error.js';
export { UnexpectedHostError } from './unexpected-host-error.js';
export { InvalidRecordsError } from './invalid-records-error.js';
export { RateLimitedError } from './rate-limited-error.js';
export { InternalError } from './internal-error.js';
export { ConfigurationError } from './configuration-error.js';
export { UpstreamRefusedError } from './upstream-refused-error.js';
export { UpstreamInvalidError } from './upstream-invalid-error.js';
export { IncompleteExportError } from './incomplete-export-error.js';
export {
  ImportInterruptedError,
  type ImportInterruptedOptions,
  type RowRange,
} from './import-interrupted-error.js';
export { UpstreamUnavailableError } from './upstream-unavailable-error.js';
export { UpstreamTimeoutError } from './upstream-timeout-error.js';
export { IdentityUnavailableError } from './identity-unavailable-error.js';
export { IdentityRefusedError } from './identity-refused-error.js';
export { OtherAccountError } from './other-account-error.js';
export { OverloadedError } from './overloaded-error.js';
export { CancelledError } from './cancelled-error.js';
