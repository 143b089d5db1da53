import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** A request that changes something, sent by a page of another site or without proof that it was not. */
export class CrossSiteRequestError extends CrfError {
  readonly code = 'cross_site_request';

  constructor(options: CrfErrorOptions = {}) {
    super('This request must come from a page of this service.', options);
  }
}
