/** Something said of data, for people and for programs. */
export interface SentenceResponse {
  /** A stable code: those of docs/sentences.md. */
  code: string;
  /** What the message says besides its words: limits, choices and names of the project. */
  parameters: { [name: string]: unknown };
  /** In English, worded to follow the field name in a sentence. */
  message: string;
}

/** One error in the request. */
export interface ProblemField {
  /**
   * The location of the error: a parameter, a property path, or a field of a record.
   * @example "fields[1]"
   */
  field: string;
  /**
   * The name that was given there, if that is what is wrong: of a field, an instrument, an event… of the project.
   * @example "agee"
   */
  name?: string;
  /**
   * The rule that is violated. Never contains the value.
   * @example "is not a field of this project"
   */
  message: string;
  /**
   * The message as a stable code, for applications in other languages: those of docs/sentences.md. Absent for what
   * concerns no data.
   * @example "unknown_field"
   */
  code?: string;
  /** What the message says besides its words: limits, choices and names of the project. */
  parameters?: { [name: string]: unknown };
  /** How the value would be read with another option of the import, which `message` says as well. Imports only. */
  hint?: SentenceResponse;
  /**
   * The record id, for errors in records; absent if the row has none, or one that is refused itself.
   * @example "COHORT-2026-PARTICIPANT-0001"
   */
  record?: string;
  /**
   * The number of the row in the body, counted from 1. Imports only.
   * @isInt
   * @example 17
   */
  row?: number;
  /**
   * The line of the body where the row begins, counted from 1. Imports only.
   * @isInt
   * @example 18
   */
  line?: number;
  /**
   * The most likely intended value: the code of a choice whose label was sent, or the name of a column.
   * @example "2"
   */
  suggestion?: string;
}

/** A range of consecutive rows of an import. */
export interface ProblemRows {
  /**
   * The first row, counted from 0.
   * @isInt
   * @example 1000
   */
  from: number;
  /**
   * The row after the last one.
   * @isInt
   * @example 2000
   */
  to: number;
}

/** An error of this API: a problem document (RFC 9457) with a stable code. */
export interface Problem {
  /**
   * The kind of problem: its code as a URN.
   * @example "urn:crf-service:problem:invalid_request"
   */
  type: string;
  /**
   * The kind of problem in words. The same for every occurrence.
   * @example "The request is not valid"
   */
  title: string;
  /**
   * The HTTP status of the response.
   * @isInt
   * @example 400
   */
  status: number;
  /**
   * Describes this occurrence in words: the field, the rule, what to do next. Omitted for status 500 and above.
   * @example "agee is not a field of this project; did you mean age?"
   */
  detail?: string;
  /**
   * The request id, which also appears in the log. Quote it when you ask for help.
   * @example "0b9cdd0c-2a2f-4a0d-9d53-5a3f27b7d1b1"
   */
  instance: string;
  /**
   * The stable name of the problem, for programs.
   * @example "invalid_request"
   */
  code: string;
  /** The individual errors, when there are several. */
  errors?: ProblemField[];
  /**
   * The number of records stored before the failure. Imports only.
   * @isInt
   */
  stored?: number;
  /**
   * The position in the input, counted from 0, of the first record that is not known to be stored. Imports only.
   * @isInt
   */
  resumeFrom?: number;
  /** Whether some rows may have been stored without confirmation; `doubtful` lists them. Imports only. */
  isUncertain?: boolean;
  /** Rows that may have been stored, because REDCap's response was lost or did not confirm them. Imports only. */
  doubtful?: ProblemRows[];
  /** Rows after `resumeFrom` that are stored, because batches are sent concurrently. Imports only. */
  storedLater?: ProblemRows[];
  /**
   * With `import_incomplete`: the records of the calls that REDCap did not confirm.
   * @isInt
   */
  sent?: number;
  /**
   * With `import_incomplete`: how many records REDCap counted in these calls.
   * @isInt
   */
  counted?: number;
}
