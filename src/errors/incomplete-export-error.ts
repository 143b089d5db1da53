import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** A batched export did not bring every record that was listed. What was received is not the whole. */
export class IncompleteExportError extends CrfError {
  readonly code = 'incomplete_export';
  override readonly isRetryable = true;

  /** @param missing the ids that were listed and did not arrive, at most the first 100 */
  constructor(
    readonly missing: readonly string[],
    options: CrfErrorOptions = {},
  ) {
    super(
      `REDCap left out ${missing.length} of the records it had listed. Try again with a smaller batch size.`,
      options,
    );
  }
}
