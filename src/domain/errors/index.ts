/** All errors of this package. Import them from here. */
export { CrfError, type CrfErrorOptions } from './crf-error.js';
export type { FieldProblem, RecordProblem } from './field-problem.js';
export { PROBLEMS, type ProblemCode } from './problem-table.js';
export {
  CrossSiteRequestError,
  InsufficientScopeError,
  NotInPolicyError,
  ProjectNotFoundError,
  ProjectRequiredError,
  RateLimitedError,
  UnauthenticatedError,
} from './access-errors.js';
export {
  AmbiguousUserError,
  CancelledError,
  CopyStoppedError,
  FileNotFoundError,
  ImportOutcomeUnknownError,
  InvalidIdentifierError,
  InvalidRecordsError,
  InvalidRequestError,
  MalformedRequestError,
  NotDeidentifiedError,
  RecordNotFoundError,
  ReportNotFoundError,
  UserNotFoundError,
} from './caller-errors.js';
export {
  HeadersTooLargeError,
  IdempotencyKeyInUseError,
  IdempotencyKeyReusedError,
  MethodNotAllowedError,
  NotAcceptableError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RequestTimeoutError,
  RouteNotFoundError,
  SlowReaderError,
  UnsupportedMediaTypeError,
  UriTooLongError,
} from './http-errors.js';
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
export { ServiceTimeoutError, ServiceUnavailableError } from './service-errors.js';
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
