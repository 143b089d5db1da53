import { CrfError, type CrfErrorOptions } from './crf-error.js';
import type { RecordProblem } from './field-problem.js';

/** Records break a rule of this service or of the data dictionary, or REDCap refused them. Nothing of the call was stored, unless `stored` says so. */
export class InvalidRecordsError extends CrfError {
  readonly code = 'invalid_records';

  override readonly errors: readonly RecordProblem[];

  /** @param errors one entry a faulty cell
   * @param stored record count that an earlier part of the same import had stored already; 0 when nothing was
   */
  constructor(
    errors: readonly RecordProblem[],
    readonly stored = 0,
    options: CrfErrorOptions = {},
  ) {
    super(
      `${errors.length === 1 ? 'One value is' : `${errors.length} values are`} not valid: see errors.`,
      options,
    );
    this.errors = errors;
  }
}
