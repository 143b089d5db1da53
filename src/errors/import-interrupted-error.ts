import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** Rows of an input that follow one another, counted from 0. */
export interface RowRange {
  readonly from: number;
  /** The row behind the last. */
  readonly to: number;
}

export interface ImportInterruptedOptions extends CrfErrorOptions {
  /** Rows that may have been stored all the same: the answer of their call was lost. None by default. */
  readonly doubtful?: readonly RowRange[];
  /** Rows behind `resumeFrom` that are stored: several calls are under way at once. None by default. */
  readonly storedLater?: readonly RowRange[];
}

/**
 * An import in several calls stopped part of the way: `stored` records are in REDCap, the rest is not known to be.
 * Rows in `storedLater` are among the stored; sent again from `resumeFrom` on, they are stored as they are.
 */
export class ImportInterruptedError extends CrfError {
  readonly code = 'import_interrupted';
  /** Rows that may have been stored, at or behind `resumeFrom`, in order. */
  readonly doubtful: readonly RowRange[];
  /** Rows behind `resumeFrom` that are stored, in order. */
  readonly storedLater: readonly RowRange[];

  /**
   * @param stored records that REDCap confirmed
   * @param resumeFrom position in the input (from 0) of the first row that is not confirmed
   */
  constructor(
    readonly stored: number,
    readonly resumeFrom: number,
    options: ImportInterruptedOptions = {},
  ) {
    super(
      `The import stopped after ${stored} stored records. Resume from record number ${resumeFrom + 1} of the input.`,
      options,
    );
    this.doubtful = options.doubtful ?? [];
    this.storedLater = options.storedLater ?? [];
  }

  /** Whether rows may have been stored although no answer said so. */
  get isUncertain(): boolean {
    return this.doubtful.length > 0;
  }
}
