import { CrfError, type CrfErrorOptions } from './crf-error.js';
import type { RecordProblem } from './field-problem.js';

/** Records break a rule of this service or of the data dictionary, or REDCap refused them. Nothing of the call was stored. */
export class InvalidRecordsError extends CrfError {
  readonly code = 'invalid_records';

  override readonly errors: readonly RecordProblem[];

  /**
   * @param errors one entry a faulty cell
   * @param options `total` where there are more of them than entries
   */
  constructor(errors: readonly RecordProblem[], options: CrfErrorOptions & { readonly total?: number } = {}) {
    const { total = errors.length } = options;
    super(`${total === 1 ? 'One value is' : `${total} values are`} not valid: see errors.`, options);
    this.errors = errors;
  }
}
