import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** A service that is open to this machine alone was asked through a proxy, and so possibly from another machine. */
export class ProxiedRequestError extends CrfError {
  readonly code = 'proxied_request';

  constructor(options: CrfErrorOptions = {}) {
    super(
      'The service is open to this machine alone, and the request came through a proxy: set API_KEYS or APPWRITE_*, or ALLOW_ANONYMOUS=true if everybody who reaches it may read and write.',
      options,
    );
  }
}
