/** What a study hopes for, and how its summary is made. */
export interface StudyOptions {
  /** First day of recruitment, `YYYY-MM-DD`. */
  readonly start?: string | undefined;
  /** Last day of recruitment, `YYYY-MM-DD`. */
  readonly end?: string | undefined;
  /** Records hoped for by then. */
  readonly target?: number | undefined;
  /** The field with the day on which a record joined; by default the first date field of the first instrument. */
  readonly dateField?: string | undefined;
  /** Counts from 1 to below this are left out for whoever may not read records; 5 by default. */
  readonly smallCell?: number | undefined;
}
