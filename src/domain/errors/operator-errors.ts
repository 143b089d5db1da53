import { CrfError, type CrfErrorOptions } from './crf-error.js';
import { sentenceOf, type FieldProblem } from './field-problem.js';

/** The configuration is not valid. `errors` names every invalid setting, but never its value. */
export class ConfigurationError extends CrfError {
  static override readonly name = 'ConfigurationError';
  readonly code = 'invalid_configuration';

  constructor(errors: readonly FieldProblem[], options: CrfErrorOptions = {}) {
    const rules = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    super(`The configuration is not valid: ${rules}${rules.endsWith('?') ? '' : '.'}`, {
      ...options,
      errors,
    });
  }
}

/** What gives a proxy away: a header that proxies add, or HTTP/1.0, which nothing else speaks by default. */
export type ProxySign = 'header' | 'http-1.0';

/** A service that is open only to this machine received a request through a proxy, possibly from another machine. */
export class ProxiedRequestError extends CrfError {
  static override readonly name = 'ProxiedRequestError';
  readonly code = 'proxied_request';

  constructor(sign: ProxySign = 'header') {
    const seen =
      sign === 'header'
        ? 'came through a proxy'
        : 'speaks HTTP/1.0, as a proxy does that is not configured for HTTP/1.1';
    super(
      `Without configured credentials, the service accepts requests only from this machine, and this request ${seen}. Create a key with crf key create and set API_KEYS, or set APPWRITE_*, or ALLOW_ANONYMOUS=true if everyone who can reach the service may read and write.`,
    );
  }
}

/** The request is for a host that this service does not serve. */
export class UnexpectedHostError extends CrfError {
  static override readonly name = 'UnexpectedHostError';
  readonly code = 'unexpected_host';

  constructor() {
    super(
      'Without configured credentials, the service accepts requests only from this machine. Use localhost, or set API_KEYS, APPWRITE_* or ALLOW_ANONYMOUS=true.',
    );
  }
}

/** The service is shedding load. `retryAfterSeconds` is the time to wait. */
export class OverloadedError extends CrfError {
  static override readonly name = 'OverloadedError';
  readonly code = 'overloaded';
  override readonly isRetryable = true;

  constructor(options: CrfErrorOptions = {}) {
    super('The service is busy. Try again in a moment.', { retryAfterSeconds: 1, ...options });
  }
}

/** The state that replicas share is unavailable, and the operation is not safe without it. Nothing was done. */
export class SharedStateUnavailableError extends CrfError {
  static override readonly name = 'SharedStateUnavailableError';
  readonly code = 'shared_state_unavailable';
  override readonly isRetryable = true;

  /** @param reason a fixed word for the log, such as `timeout` or `ECONNREFUSED` */
  constructor(
    readonly reason: string,
    options: CrfErrorOptions = {},
  ) {
    super(`The shared state did not answer (${reason}). Nothing was done: try again in a moment.`, {
      retryAfterSeconds: 5,
      ...options,
    });
  }
}

/** A policy names what the project does not have, or shows nothing of it. It is closed until the operator mends it. */
export class PolicyInvalidError extends CrfError {
  static override readonly name = 'PolicyInvalidError';
  readonly code = 'policy_invalid';

  constructor(
    errors: readonly FieldProblem[],
    readonly policy = 'of the caller',
  ) {
    super(`The policy ${policy} does not fit the project. ${sentenceOf(errors, '')}`, { errors });
  }
}

/** The audit log cannot be written. The operation was refused, or was done but could not be confirmed. */
export class AuditUnavailableError extends CrfError {
  static override readonly name = 'AuditUnavailableError';
  readonly code = 'audit_unavailable';
  override readonly isRetryable = true;

  constructor(options: CrfErrorOptions = {}) {
    super('The audit log cannot be written. Check the disk and the file that AUDIT_LOG names.', {
      retryAfterSeconds: 5,
      ...options,
    });
  }
}

/** An internal error. The log has the details under the request id. */
export class InternalError extends CrfError {
  static override readonly name = 'InternalError';
  readonly code = 'internal_error';

  constructor(options: CrfErrorOptions = {}) {
    super('Something went wrong on our side. Quote the request id when you report it.', options);
  }
}
