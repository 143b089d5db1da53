import { CrfError, type CrfErrorOptions } from './crf-error.js';
import { describeNetworkFailure } from './network-failure.js';

/** The service could not be reached, or its answer broke off. A write may have happened. */
export class ServiceUnavailableError extends CrfError {
  static override readonly name = 'ServiceUnavailableError';
  readonly code = 'service_unavailable';

  /** @param host of the service, with its port */
  constructor(
    readonly host: string,
    options: CrfErrorOptions = {},
  ) {
    super(
      `The service at ${host} did not answer: ${reasonOf(options.cause)}. Check baseUrl, and whether the service runs; redirects are not followed.`,
      options,
    );
  }
}

/** The service did not begin to answer in time, or paused for that long. A write may have happened. */
export class ServiceTimeoutError extends CrfError {
  static override readonly name = 'ServiceTimeoutError';
  readonly code = 'service_timeout';

  /** @param host of the service, with its port */
  constructor(
    readonly host: string,
    timeoutMs: number,
  ) {
    super(
      `The service at ${host} did not answer for ${timeoutMs} ms (timeoutMs). Request less at a time, or raise the limit.`,
    );
  }
}

/** Node.js has the code of a network failure as the cause of what `fetch` throws; browsers do not tell. */
function reasonOf(failure: unknown): string {
  const { code } = ((failure as Error | undefined)?.cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? describeNetworkFailure(code) : 'the connection failed';
}
