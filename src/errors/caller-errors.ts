import { CrfError, type CrfErrorOptions } from './crf-error.js';
import { sentenceOf, type FieldProblem, type RecordProblem } from './field-problem.js';

/** An identifier is not valid. Correct the value that the message names. */
export class InvalidIdentifierError extends CrfError {
  static override readonly name = 'InvalidIdentifierError';
  readonly code = 'invalid_identifier';

  /**
   * @param subject what was parsed, as the start of a sentence: `A record id`
   * @param rule the rest of the sentence: `has 20 to 100 characters`
   */
  constructor(subject: string, rule: string, options: CrfErrorOptions = {}) {
    super(`${subject} ${rule}.`, options);
  }
}

/** One or more parameters or properties are not valid. `errors` has the rule for each of them. */
export class InvalidRequestError extends CrfError {
  static override readonly name = 'InvalidRequestError';
  readonly code = 'invalid_request';

  constructor(errors: readonly FieldProblem[], options: CrfErrorOptions = {}) {
    super(sentenceOf(errors, 'The request is not valid.'), { ...options, errors });
  }
}

/** The request cannot be parsed: broken JSON, CSV or percent-encoding. Correct its syntax before sending it again. */
export class MalformedRequestError extends CrfError {
  static override readonly name = 'MalformedRequestError';
  readonly code = 'malformed_request';

  constructor(message: string, options: CrfErrorOptions = {}) {
    super(message, options);
  }
}

/** The body is larger than the route allows. */
export class PayloadTooLargeError extends CrfError {
  static override readonly name = 'PayloadTooLargeError';
  readonly code = 'payload_too_large';

  constructor(
    readonly limitBytes: number,
    options: CrfErrorOptions = {},
  ) {
    super(`The body may have at most ${limitBytes} bytes. Send it in parts.`, options);
  }
}

/** The headers together are larger than the service allows. */
export class HeadersTooLargeError extends CrfError {
  static override readonly name = 'HeadersTooLargeError';
  readonly code = 'headers_too_large';

  constructor(options: CrfErrorOptions = {}) {
    super('The headers of the request are too large. Send fewer or shorter ones.', options);
  }
}

/** The headers of a request, or an uploaded file, did not arrive in time. Nothing was done. */
export class RequestTimeoutError extends CrfError {
  static override readonly name = 'RequestTimeoutError';
  readonly code = 'request_timeout';

  constructor(options: CrfErrorOptions = {}) {
    super('The request did not arrive in time. Send it again.', options);
  }
}

/** The URL is longer than the service allows. */
export class UriTooLongError extends CrfError {
  static override readonly name = 'UriTooLongError';
  readonly code = 'uri_too_long';

  constructor(
    readonly limitBytes: number,
    options: CrfErrorOptions = {},
  ) {
    super(
      `The URL may have at most ${limitBytes} bytes. Request fewer fields or records at a time.`,
      options,
    );
  }
}

/** Made on first use, because loading the language data takes several milliseconds at start. */
const eitherOf = (choices: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);

/** The route does not accept the media type of the body. */
export class UnsupportedMediaTypeError extends CrfError {
  static override readonly name = 'UnsupportedMediaTypeError';
  readonly code = 'unsupported_media_type';

  constructor(
    readonly supported: readonly string[],
    options: CrfErrorOptions = {},
  ) {
    super(`Send the body as ${eitherOf(supported)}.`, options);
  }
}

/** The route has none of the media types that the caller accepts. */
export class NotAcceptableError extends CrfError {
  static override readonly name = 'NotAcceptableError';
  readonly code = 'not_acceptable';

  constructor(
    readonly available: readonly string[],
    options: CrfErrorOptions = {},
  ) {
    super(`Accept ${eitherOf(available)}.`, options);
  }
}

/** The path exists, but not with this method. `allowed` lists the supported methods. */
export class MethodNotAllowedError extends CrfError {
  static override readonly name = 'MethodNotAllowedError';
  readonly code = 'method_not_allowed';

  constructor(
    readonly allowed: readonly string[],
    options: CrfErrorOptions = {},
  ) {
    super(`Use ${allowed.join(', ')} on this path.`, options);
  }
}

/** No route has this path. */
export class RouteNotFoundError extends CrfError {
  static override readonly name = 'RouteNotFoundError';
  readonly code = 'route_not_found';

  /** @param routesAt the path of the page that lists the routes */
  constructor(routesAt = '/openapi.json', options: CrfErrorOptions = {}) {
    super(`Nothing is served at this path. See ${routesAt} for the routes.`, options);
  }
}

/** The service has no project of this name, or none that the caller may use: the answer does not reveal which. */
export class ProjectNotFoundError extends CrfError {
  static override readonly name = 'ProjectNotFoundError';
  readonly code = 'project_not_found';

  constructor(options: CrfErrorOptions = {}) {
    super('You have no such project here. GET /api/v1/projects lists yours.', options);
  }
}

/** The service has several projects and no default, and the path names none. */
export class ProjectRequiredError extends CrfError {
  static override readonly name = 'ProjectRequiredError';
  readonly code = 'project_required';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'This service has several projects: put /projects/{project} in front of the path. GET /api/v1/projects lists yours.',
      options,
    );
  }
}

/**
 * The request has no credential, or one that is unknown, expired or malformed. The response does not reveal which of
 * these three.
 */
export class UnauthenticatedError extends CrfError {
  static override readonly name = 'UnauthenticatedError';
  readonly code = 'unauthenticated';

  /**
   * @param presented an API key was presented in vain; without it, there was no credential, or a session that is over
   * @param expired whose key it was, for the logs, if it has expired: `key:portal`; never part of the answer
   */
  constructor(
    options: CrfErrorOptions = {},
    readonly presented?: 'api-key',
    readonly expired?: string,
  ) {
    super(
      presented === 'api-key'
        ? 'The API key is unknown or has expired. Check the Authorization header, or ask for a new key.'
        : 'Send an API key (Authorization: Bearer crf_…), or sign in.',
      options,
    );
  }
}

/** The caller lacks a scope that the route requires. */
export class InsufficientScopeError extends CrfError {
  static override readonly name = 'InsufficientScopeError';
  readonly code = 'insufficient_scope';

  /** @param isOpen whether the service needs no credential, so that the caller is probably its operator */
  constructor(
    readonly scopes: readonly string[],
    options: CrfErrorOptions & { readonly isOpen?: boolean } = {},
  ) {
    const list = scopes.join(' and ');
    super(
      options.isOpen
        ? `Without a credential, nobody has the scope ${list} here. Create an API key that has it (crf key create) and set API_KEYS.`
        : `This route needs the scope ${list}. Ask the operator for a credential that has it.`,
      options,
    );
  }
}

/** The policy of the caller does not grant the operation. */
export class NotInPolicyError extends CrfError {
  static override readonly name = 'NotInPolicyError';
  readonly code = 'not_in_policy';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'The policy of this caller does not allow this. Ask whoever runs the service for the right.',
      options,
    );
  }
}

/** A request that changes data was sent by a page of another site, or without proof that it was not. */
export class CrossSiteRequestError extends CrfError {
  static override readonly name = 'CrossSiteRequestError';
  readonly code = 'cross_site_request';

  constructor(options: CrfErrorOptions = {}) {
    super('This request must come from a page of this service.', options);
  }
}

/** The caller sent too many requests. `retryAfterSeconds` is the time to wait. */
export class RateLimitedError extends CrfError {
  static override readonly name = 'RateLimitedError';
  readonly code = 'rate_limited';
  override readonly isRetryable = true;

  constructor(retryAfterSeconds: number, options: CrfErrorOptions = {}) {
    super(`Too many requests. Try again in ${retryAfterSeconds} seconds.`, { ...options, retryAfterSeconds });
  }
}

/**
 * An export was read more slowly than allowed, and its connection was closed, because REDCap would have had to wait.
 */
export class SlowReaderError extends CrfError {
  static override readonly name = 'SlowReaderError';
  readonly code = 'slow_reader';

  constructor(options: CrfErrorOptions = {}) {
    super('The export was read too slowly. Read it faster, or request less at a time.', options);
  }
}

/**
 * Records violate a rule of this service or of the data dictionary, or REDCap refused them. The call stored nothing.
 */
export class InvalidRecordsError extends CrfError {
  static override readonly name = 'InvalidRecordsError';
  readonly code = 'invalid_records';

  override readonly errors: readonly RecordProblem[];
  /** The number of faulty cells, of which `errors` lists the first. */
  readonly total: number;

  /**
   * @param errors one entry per faulty cell
   * @param options `total`: the number of errors, if there are more than entries
   */
  constructor(errors: readonly RecordProblem[], options: CrfErrorOptions & { readonly total?: number } = {}) {
    const { total = errors.length } = options;
    const summary = total === 1 ? 'One value is not valid' : `${total} values are not valid, the first`;
    const [first] = errors;
    super(first === undefined ? `${summary}.` : `${summary}: ${sentenceOf([first], '')}`, options);
    this.errors = errors;
    this.total = total;
  }
}

/** A request with the same Idempotency-Key is still running. Wait, then repeat it. */
export class IdempotencyKeyInUseError extends CrfError {
  static override readonly name = 'IdempotencyKeyInUseError';
  readonly code = 'idempotency_key_in_use';
  override readonly isRetryable = true;

  constructor(options: CrfErrorOptions = {}) {
    super('A request with this Idempotency-Key is still running. Repeat it in a moment.', {
      retryAfterSeconds: 1,
      ...options,
    });
  }
}

/** An Idempotency-Key was used before for another request. Use a new key for a new request. */
export class IdempotencyKeyReusedError extends CrfError {
  static override readonly name = 'IdempotencyKeyReusedError';
  readonly code = 'idempotency_key_reused';

  constructor(options: CrfErrorOptions = {}) {
    super('This Idempotency-Key was used with another request. Send a new key.', options);
  }
}

/**
 * The process that ran an import ended before it could report what was stored. Running it again might store rows twice.
 */
export class ImportOutcomeUnknownError extends CrfError {
  static override readonly name = 'ImportOutcomeUnknownError';
  readonly code = 'import_outcome_unknown';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'The import with this Idempotency-Key was interrupted and may have stored some of its rows. Check in REDCap which rows are stored, then send the others with a new key.',
      options,
    );
  }
}

/** The resource no longer matches `If-Match`. Nothing was changed. */
export class PreconditionFailedError extends CrfError {
  static override readonly name = 'PreconditionFailedError';
  readonly code = 'precondition_failed';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'This part of the project has changed since you read it: its ETag is not the one in If-Match. Nothing was changed. Read it again, then repeat the change.',
      options,
    );
  }
}

/** No user of the project has the email address. */
export class UserNotFoundError extends CrfError {
  static override readonly name = 'UserNotFoundError';
  readonly code = 'user_not_found';

  constructor(options: CrfErrorOptions = {}) {
    super('No user of this project has this email address.', options);
  }
}

/** An email address belongs to several user ids. Guessing could give one person the data of another. */
export class AmbiguousUserError extends CrfError {
  static override readonly name = 'AmbiguousUserError';
  readonly code = 'ambiguous_user';

  constructor(options: CrfErrorOptions = {}) {
    super('Several users of this project have this email address. Make it unique in REDCap.', options);
  }
}

/** The requested place has no file. */
export class FileNotFoundError extends CrfError {
  static override readonly name = 'FileNotFoundError';
  readonly code = 'file_not_found';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'No file is stored there. Check the record, the field, the event and the repeat instance.',
      options,
    );
  }
}

/** The project has no report with this number, or the token's user may not see it. */
export class ReportNotFoundError extends CrfError {
  static override readonly name = 'ReportNotFoundError';
  readonly code = 'report_not_found';

  constructor(options: CrfErrorOptions = {}) {
    super(
      "No report of this project has this number, or the token's user may not see it. The numbers are in REDCap's list of reports.",
      options,
    );
  }
}

/** The caller cancelled the call through its AbortSignal, or the source of a file that was being sent failed. */
export class CancelledError extends CrfError {
  static override readonly name = 'CancelledError';
  readonly code = 'cancelled';

  constructor(options: CrfErrorOptions = {}, message = 'The call was cancelled by its signal.') {
    super(message, options);
  }
}

/** The project has no record with this id, or the token cannot see it. */
export class RecordNotFoundError extends CrfError {
  static override readonly name = 'RecordNotFoundError';
  readonly code = 'record_not_found';

  constructor(options: CrfErrorOptions = {}) {
    super('No record of this project has this id. Check the id; nothing was changed.', options);
  }
}

/** A copy was left as it is, because what REDCap answers would damage it, or because somebody else is writing it. */
export class CopyStoppedError extends CrfError {
  static override readonly name = 'CopyStoppedError';
  readonly code = 'copy_stopped';
}
