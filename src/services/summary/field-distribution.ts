/** The number of times that one choice was selected. */
export interface ChoiceCount {
  code: string;
  label: string;
  /** @isInt */
  n: number | null;
}

/** One bar of a histogram: values from `from` up to `to`. Only the last bar includes `to`. */
export interface HistogramBin {
  from: number;
  to: number;
  /** @isInt */
  n: number | null;
}

/** Statistics of the values of a field, for all records or for one group. */
export interface DistributionFigures {
  /**
   * The number of values.
   * @isInt
   */
  n: number | null;
  /**
   * The number of started forms without a value.
   * @isInt
   */
  missing: number | null;
  min: number | null;
  lowerQuartile: number | null;
  median: number | null;
  upperQuartile: number | null;
  max: number | null;
  /** The counts of a coded field. Several choices of a checkbox field may be selected at once. */
  choices: ChoiceCount[];
}

/** Statistics of the values of a field for the records of one data access group or arm. */
export interface DistributionPart extends DistributionFigures {
  /** The unique name of the data access group, or the number of the arm. */
  part: string;
  label: string;
}

/** Statistics of the values of one field. */
export interface FieldDistribution extends DistributionFigures {
  /** When the statistics were computed, in ISO 8601. */
  madeAt: string;
  /**
   * Counts below this number are omitted; 0 if no counts are.
   * @isInt
   */
  smallCell: number;
  field: string;
  label: string;
  instrument: string;
  /** The kind of statistics. `presence`, for free text and identifiers, has only `n` and `missing`. */
  kind: 'choices' | 'numbers' | 'presence';
  /** The histogram of a number field. */
  bins: HistogramBin[];
  by: 'dag' | 'arm' | null;
  parts: DistributionPart[];
}
