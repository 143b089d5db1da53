/** The media type of every error. */
export const PROBLEM = 'application/problem+json';

/** One thing that is wrong. */
export interface ProblemField {
  /**
   * Where: a parameter, a property path, or a field of a record.
   * @example "fields[1]"
   */
  field: string;
  /**
   * The rule that is broken. Never the value.
   * @example "is not a field of this project"
   */
  message: string;
  /**
   * The record id, for problems of records.
   * @example "COHORT-2026-PARTICIPANT-0001"
   */
  record?: string;
  /**
   * The number of the row in the body, from 1; imports only.
   * @isInt
   * @example 17
   */
  row?: number;
  /**
   * The line of the body on which the row begins, from 1; imports only.
   * @isInt
   * @example 18
   */
  line?: number;
  /**
   * What was meant, most likely: the code of a choice whose label was sent, or the name of a column.
   * @example "2"
   */
  suggestion?: string;
}

/** Rows of an import that follow one another. */
export interface ProblemRows {
  /**
   * The first row, from 0.
   * @isInt
   * @example 1000
   */
  from: number;
  /**
   * The row behind the last.
   * @isInt
   * @example 2000
   */
  to: number;
}

/** Every error of this API: a problem document (RFC 9457) with a stable code. */
export interface Problem {
  /**
   * Identifies the kind of problem: the code as a URN.
   * @example "urn:crf-service:problem:invalid_request"
   */
  type: string;
  /**
   * The kind of problem, for a person. The same for every occurrence.
   * @example "The request is not valid"
   */
  title: string;
  /**
   * The HTTP status, repeated.
   * @isInt
   * @example 400
   */
  status: number;
  /**
   * This occurrence, for a person: the field, the rule, what to do next. Left out from 500 on.
   * @example "fields[1] is not a field of this project."
   */
  detail?: string;
  /**
   * The request id. It stands in the log too: quote it when you ask for help.
   * @example "0b9cdd0c-2a2f-4a0d-9d53-5a3f27b7d1b1"
   */
  instance: string;
  /**
   * Stable name of the problem, for programs.
   * @example "invalid_request"
   */
  code: string;
  /** Each thing that is wrong, when there are several. */
  errors?: ProblemField[];
  /**
   * Records that were stored before the failure; imports only.
   * @isInt
   */
  stored?: number;
  /**
   * Position in the input, from 0, of the first record that is not known to be stored; imports only.
   * @isInt
   */
  resumeFrom?: number;
  /** Whether rows may have been stored although no answer said so: those in `doubtful`; imports only. */
  isUncertain?: boolean;
  /** Rows that may have been stored: the answer of REDCap was lost; imports only. */
  doubtful?: ProblemRows[];
  /** Rows behind `resumeFrom` that are stored: several batches are under way at once; imports only. */
  storedLater?: ProblemRows[];
}
