/** All errors of this package. Import them from here. */
export { CrfError, type CrfErrorOptions } from './crf-error.js';
export type { FieldProblem, RecordProblem } from './field-problem.js';
export { PROBLEMS, type ProblemCode } from './problem-table.js';
export {
  AmbiguousUserError,
  CancelledError,
  CrossSiteRequestError,
  FileNotFoundError,
  HeadersTooLargeError,
  IdempotencyKeyInUseError,
  IdempotencyKeyReusedError,
  ImportOutcomeUnknownError,
  InsufficientScopeError,
  InvalidIdentifierError,
  InvalidRecordsError,
  InvalidRequestError,
  MalformedRequestError,
  MethodNotAllowedError,
  NotAcceptableError,
  NotInPolicyError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitedError,
  RecordNotFoundError,
  ReportNotFoundError,
  RequestTimeoutError,
  RouteNotFoundError,
  SlowReaderError,
  UnauthenticatedError,
  UnsupportedMediaTypeError,
  UriTooLongError,
  UserNotFoundError,
} from './caller-errors.js';
export {
  AuditUnavailableError,
  PolicyInvalidError,
  ConfigurationError,
  InternalError,
  OverloadedError,
  ProxiedRequestError,
  SharedStateUnavailableError,
  UnexpectedHostError,
} from './operator-errors.js';
export {
  ImportIncompleteError,
  ImportInterruptedError,
  type CountedRecords,
  type ImportInterruptedOptions,
  IncompleteExportError,
  NotSupportedUpstreamError,
  type RowRange,
  UpstreamBannedError,
  UpstreamForbiddenError,
  UpstreamInvalidError,
  UpstreamOfflineError,
  UpstreamRefusedError,
  UpstreamRejectedError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from './upstream-errors.js';
export { IdentityRefusedError, IdentityUnavailableError } from './identity-errors.js';
export {
  DomainNotAllowedError,
  OtherAccountError,
  RecentSignInRequiredError,
  SessionNotFoundError,
  SignInFailedError,
} from './sign-in-errors.js';
