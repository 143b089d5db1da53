import { CrfError, type CrfErrorOptions } from './crf-error.js';
import type { FieldProblem } from './field-problem.js';

/** The configuration is not valid. `errors` names every setting that is wrong, never its value. */
export class ConfigurationError extends CrfError {
  readonly code = 'invalid_configuration';

  constructor(errors: readonly FieldProblem[], options: CrfErrorOptions = {}) {
    super(
      `The configuration is not valid: ${errors.map(({ field, message }) => `${field} ${message}`).join('; ')}.`,
      {
        ...options,
        errors,
      },
    );
  }
}

/** A service that is open to this machine alone was asked through a proxy, and so possibly from another machine. */
export class ProxiedRequestError extends CrfError {
  readonly code = 'proxied_request';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'Without credentials the service answers only this machine, and the request came through a proxy. Set API_KEYS or APPWRITE_*, or ALLOW_ANONYMOUS=true if everyone who can reach the service may read and write.',
      options,
    );
  }
}

/** The request names a host that this service does not answer for. */
export class UnexpectedHostError extends CrfError {
  readonly code = 'unexpected_host';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'Without credentials the service answers only this machine. Use localhost, or set API_KEYS, APPWRITE_* or ALLOW_ANONYMOUS=true.',
      options,
    );
  }
}

/** The service sheds load. `retryAfterSeconds` says when to come back. */
export class OverloadedError extends CrfError {
  readonly code = 'overloaded';
  override readonly isRetryable = true;

  constructor(options: CrfErrorOptions = {}) {
    super('The service is busy. Try again in a moment.', { retryAfterSeconds: 1, ...options });
  }
}

/** What replicas share could not be asked, and what was wanted is not safe without it. Nothing was done. */
export class SharedStateUnavailableError extends CrfError {
  readonly code = 'shared_state_unavailable';
  override readonly isRetryable = true;

  /** @param reason a fixed word, as in `timeout` or `ECONNREFUSED`: it stands in the log */
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

/** The audit log cannot be written: what has to be audited is refused, or was done and could not be confirmed. */
export class AuditUnavailableError extends CrfError {
  readonly code = 'audit_unavailable';
  override readonly isRetryable = true;

  constructor(options: CrfErrorOptions = {}) {
    super('The audit log cannot be written. Check the disk and the file that AUDIT_LOG names.', {
      retryAfterSeconds: 5,
      ...options,
    });
  }
}

/** A fault of this service. The log has it under the request id. */
export class InternalError extends CrfError {
  readonly code = 'internal_error';

  constructor(options: CrfErrorOptions = {}) {
    super('Something went wrong on our side. Quote the request id when you report it.', options);
  }
}
