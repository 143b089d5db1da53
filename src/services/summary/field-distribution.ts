/** How often one choice was taken. */
export interface ChoiceCount {
  code: string;
  label: string;
  /** @isInt */
  n: number | null;
}

/** One bar of a histogram: from `from` up to, and in the last one with, `to`. */
export interface HistogramBin {
  from: number;
  to: number;
  /** @isInt */
  n: number | null;
}

/** The values of a field, of all records or of those of one group. */
export interface DistributionFigures {
  /**
   * Values.
   * @isInt
   */
  n: number | null;
  /**
   * Forms that were begun and have none.
   * @isInt
   */
  missing: number | null;
  min: number | null;
  lowerQuartile: number | null;
  median: number | null;
  upperQuartile: number | null;
  max: number | null;
  /** Of a coded field. Several of a checkbox field may be taken at once. */
  choices: ChoiceCount[];
}

/** The values of a field, of the records of one group. */
export interface DistributionGroup extends DistributionFigures {
  /** The unique name of the data access group, or the number of the arm. */
  group: string;
  label: string;
}

/** The values of one field, in numbers. */
export interface FieldDistribution extends DistributionFigures {
  /** When the figures were made; ISO 8601. */
  madeAt: string;
  /**
   * Below this, counts are left out; 0 when nothing is.
   * @isInt
   */
  smallCell: number;
  field: string;
  label: string;
  instrument: string;
  /** What is shown: of free text and identifiers only `n` and `missing`. */
  kind: 'choices' | 'numbers' | 'presence';
  /** Of numbers. */
  bins: HistogramBin[];
  by: 'site' | 'arm' | null;
  groups: DistributionGroup[];
}
