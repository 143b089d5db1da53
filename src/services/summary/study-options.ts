/** The goals of a study, and options of its summary. */
export interface StudyOptions {
  /** First day of recruitment, `YYYY-MM-DD`. */
  readonly start?: string | undefined;
  /** Last day of recruitment, `YYYY-MM-DD`. */
  readonly end?: string | undefined;
  /** The number of records planned by the end. */
  readonly target?: number | undefined;
  /** The field with the date on which a record joined; by default the first date field of the first instrument. */
  readonly dateField?: string | undefined;
  /** Counts from 1 to below this number are omitted for callers who may not read records; 5 by default. */
  readonly smallCell?: number | undefined;
}
