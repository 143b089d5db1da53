import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** An import in several calls stopped part of the way: `stored` records are in REDCap, the rest is not known to be. */
export class ImportInterruptedError extends CrfError {
  readonly code = 'import_interrupted';

  /**
   * @param stored records that REDCap confirmed before the failure
   * @param resumeFrom position in the input (from 0) of the first record that is not confirmed
   * @param isUncertain whether the failed call may have been stored all the same: its answer was lost
   */
  constructor(
    readonly stored: number,
    readonly resumeFrom: number,
    readonly isUncertain: boolean,
    options: CrfErrorOptions = {},
  ) {
    super(
      `The import stopped after ${stored} stored records. Resume from record number ${resumeFrom + 1} of the input.`,
      options,
    );
  }
}
