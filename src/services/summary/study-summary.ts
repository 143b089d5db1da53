/** One period of recruitment. A count is null if it is omitted because it is small. */
export interface RecruitmentPeriod {
  /**
   * The first day of the month, or the Monday of the week.
   * @example "2026-03-01"
   */
  start: string;
  /**
   * The number of records that joined during the period.
   * @isInt
   */
  records: number | null;
  /**
   * The number of records that joined by the end of the period.
   * @isInt
   */
  cumulated: number | null;
  /** The number of records planned by the end of the period; null without a target. */
  hoped: number | null;
}

/** The number of records over time. */
export interface Recruitment {
  /** The field with the date on which a record joined; null if the project has none. */
  dateField: string | null;
  /** The label of that field. */
  dateLabel: string;
  /** Whether the field is set in the configuration; otherwise it is the first date field of the first instrument. */
  isChosen: boolean;
  /**
   * The number of records without a date, or with an unlikely one: over a century ago, or over ten years ahead.
   * @isInt
   */
  undated: number | null;
  /** The planned first day of recruitment. */
  plannedStart: string | null;
  /** The planned last day of recruitment. */
  plannedEnd: string | null;
  /** @isInt */
  target: number | null;
  months: RecruitmentPeriod[];
  /** Empty if small counts are omitted: together with the months, the weeks would reveal them. */
  weeks: RecruitmentPeriod[];
}

/** The number of records in one data access group. */
export interface DagCount {
  /** The unique name of the group; empty for records without a group. */
  dag: string;
  label: string;
  /** @isInt */
  records: number | null;
  /**
   * The number of complete forms; null for callers who may not read records.
   * @isInt
   */
  complete: number | null;
  /**
   * The number of forms: those that were begun, and those that are expected and were not; null for callers who may not
   * read records.
   * @isInt
   */
  forms: number | null;
  /**
   * The median number of days from a visit to the entry of its date, over the visits of the schedule that were entered in
   * the last 90 days; null if there are none, if the plan of the study has no `visitDate`, if the log cannot be read, and
   * for callers who may not read records and the log.
   */
  daysToEntry: number | null;
}

/** The completeness of one instrument at one event. */
export interface CompletenessCell {
  /** The unique name of the event; empty in a classic project. */
  event: string;
  eventLabel: string;
  instrument: string;
  instrumentLabel: string;
  /** Whether the instrument repeats. Then forms are counted, and a record may have several. */
  isRepeating: boolean;
  /**
   * Whether every record of the arm is expected to have the form. What repeats is not: it is filled in when something
   * happens.
   */
  isExpected: boolean;
  /**
   * The number of records in the arm.
   * @isInt
   */
  records: number | null;
  /** @isInt */
  complete: number | null;
  /** @isInt */
  unverified: number | null;
  /** @isInt */
  incomplete: number | null;
  /**
   * The number of records without the form.
   * @isInt
   */
  notBegun: number | null;
}

/** The number of empty values of one field, on forms that have been started. */
export interface MissingField {
  field: string;
  label: string;
  instrument: string;
  /**
   * The number of forms on which the field is shown.
   * @isInt
   */
  shown: number | null;
  /** @isInt */
  missing: number | null;
  /** The share of empty values in percent; a whole number if small counts are omitted. */
  percent: number | null;
  /** Whether some forms are not counted, because their branching logic cannot be evaluated. */
  hasUnreadLogic: boolean;
}

/** A summary of the progress of a study. */
export interface StudySummary {
  /** When the summary was computed, in ISO 8601. */
  madeAt: string;
  /**
   * Counts below this number are omitted; 0 if no counts are.
   * @isInt
   */
  smallCell: number;
  title: string;
  isLongitudinal: boolean;
  /** @isInt */
  records: number | null;
  /**
   * The number of fields that hold data.
   * @isInt
   */
  fields: number;
  /** @isInt */
  instruments: number;
  recruitment: Recruitment;
  dags: DagCount[];
  completeness: CompletenessCell[];
  /** The fields with the most empty values first, at most 100. */
  missing: MissingField[];
  /** The share of empty values over all fields, in percent. */
  missingPercent: number | null;
}
