import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The body is larger than the route allows. */
export class PayloadTooLargeError extends CrfError {
  static override readonly name = 'PayloadTooLargeError';
  readonly code = 'payload_too_large';

  constructor(readonly limitBytes: number) {
    super(`The body may have at most ${limitBytes} bytes. Send it in parts.`);
  }
}

/** The headers together are larger than the service allows. */
export class HeadersTooLargeError extends CrfError {
  static override readonly name = 'HeadersTooLargeError';
  readonly code = 'headers_too_large';

  constructor() {
    super('The headers of the request are too large. Send fewer or shorter ones.');
  }
}

/** The headers of a request, or an uploaded file, did not arrive in time. Nothing was done. */
export class RequestTimeoutError extends CrfError {
  static override readonly name = 'RequestTimeoutError';
  readonly code = 'request_timeout';

  constructor() {
    super('The request did not arrive in time. Send it again.');
  }
}

/** The URL is longer than the service allows. */
export class UriTooLongError extends CrfError {
  static override readonly name = 'UriTooLongError';
  readonly code = 'uri_too_long';

  constructor(readonly limitBytes: number) {
    super(`The URL may have at most ${limitBytes} bytes. Request fewer fields or records at a time.`);
  }
}

/** Made on first use, because loading the language data takes several milliseconds at start. */
const eitherOf = (choices: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);

/** The route does not accept the media type of the body. */
export class UnsupportedMediaTypeError extends CrfError {
  static override readonly name = 'UnsupportedMediaTypeError';
  readonly code = 'unsupported_media_type';

  constructor(readonly supported: readonly string[]) {
    super(`Send the body as ${eitherOf(supported)}.`);
  }
}

/** The route has none of the media types that the caller accepts. */
export class NotAcceptableError extends CrfError {
  static override readonly name = 'NotAcceptableError';
  readonly code = 'not_acceptable';

  constructor(readonly available: readonly string[]) {
    super(`Accept ${eitherOf(available)}.`);
  }
}

/** The path exists, but not with this method. `allowed` lists the supported methods. */
export class MethodNotAllowedError extends CrfError {
  static override readonly name = 'MethodNotAllowedError';
  readonly code = 'method_not_allowed';

  constructor(readonly allowed: readonly string[]) {
    super(`Use ${allowed.join(', ')} on this path.`);
  }
}

/** No route has this path. */
export class RouteNotFoundError extends CrfError {
  static override readonly name = 'RouteNotFoundError';
  readonly code = 'route_not_found';

  /** @param routesAt the path of the page that lists the routes */
  constructor(routesAt = '/openapi.json') {
    super(`Nothing is served at this path. See ${routesAt} for the routes.`);
  }
}

/**
 * An export was read more slowly than allowed, and its connection was closed, because REDCap would have had to wait.
 */
export class SlowReaderError extends CrfError {
  static override readonly name = 'SlowReaderError';
  readonly code = 'slow_reader';

  constructor() {
    super('The export was read too slowly. Read it faster, or request less at a time.');
  }
}

/** A request with the same Idempotency-Key is still running. Wait, then repeat it. */
export class IdempotencyKeyInUseError extends CrfError {
  static override readonly name = 'IdempotencyKeyInUseError';
  readonly code = 'idempotency_key_in_use';
  override readonly isRetryable = true;

  constructor() {
    super('A request with this Idempotency-Key is still running. Repeat it in a moment.', {
      retryAfterSeconds: 1,
    });
  }
}

/** An Idempotency-Key was used before for another request. Use a new key for a new request. */
export class IdempotencyKeyReusedError extends CrfError {
  static override readonly name = 'IdempotencyKeyReusedError';
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was used with another request. Send a new key.');
  }
}

/** The resource is no longer what was read: it does not match `If-Match`, or has other values. Nothing was changed. */
export class PreconditionFailedError extends CrfError {
  static override readonly name = 'PreconditionFailedError';
  readonly code = 'precondition_failed';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'This has changed since you read it, so that nothing was changed now. Read it again, then repeat the change with its new ETag or values.',
      options,
    );
  }
}
