/** One period of recruitment. A count is null where it is left out because it is small. */
export interface RecruitmentPeriod {
  /**
   * The first day: of the month, or the Monday of the week.
   * @example "2026-03-01"
   */
  start: string;
  /**
   * Records that joined in the period.
   * @isInt
   */
  records: number | null;
  /**
   * Records that joined until its end.
   * @isInt
   */
  cumulated: number | null;
  /** Records hoped for by its end; null without a target. */
  hoped: number | null;
}

/** Records over time. */
export interface Recruitment {
  /** The field with the day on which a record joined; null when the project has none. */
  dateField: string | null;
  /** What people read of that field. */
  dateLabel: string;
  /** Whether a setting names the field, or it is the first date field of the first instrument. */
  isChosen: boolean;
  /**
   * Records without a day.
   * @isInt
   */
  undated: number | null;
  /** First day of recruitment, as it is planned. */
  plannedStart: string | null;
  /** Last day of recruitment, as it is planned. */
  plannedEnd: string | null;
  /** @isInt */
  target: number | null;
  months: RecruitmentPeriod[];
  /** Empty where small counts are left out: with the months they would tell them. */
  weeks: RecruitmentPeriod[];
}

/** Records of one data access group. */
export interface SiteCount {
  /** The unique name of the group; empty for records in none. */
  group: string;
  label: string;
  /** @isInt */
  records: number | null;
}

/** How complete one instrument is at one event. */
export interface CompletenessCell {
  /** The unique name of the event; empty in a classic project. */
  event: string;
  eventLabel: string;
  instrument: string;
  instrumentLabel: string;
  /** Whether it repeats: then forms are counted, of which a record may have several. */
  isRepeating: boolean;
  /**
   * Records of the arm.
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
   * Records without the form.
   * @isInt
   */
  notBegun: number | null;
}

/** Empty values of one field, on forms that were begun. */
export interface MissingField {
  field: string;
  label: string;
  instrument: string;
  /**
   * Forms on which the field is shown.
   * @isInt
   */
  shown: number | null;
  /** @isInt */
  missing: number | null;
  /** The share in percent: whole numbers where small counts are left out. */
  percent: number | null;
  /** Forms of which nobody here can tell whether the field is shown: they are not counted. */
  hasUnreadLogic: boolean;
}

/** How a study goes, in numbers. */
export interface StudySummary {
  /** When the figures were made; ISO 8601. */
  madeAt: string;
  /**
   * Below this, counts are left out; 0 when nothing is.
   * @isInt
   */
  smallCell: number;
  title: string;
  isLongitudinal: boolean;
  /** @isInt */
  records: number | null;
  /**
   * Fields that hold data.
   * @isInt
   */
  fields: number;
  /** @isInt */
  instruments: number;
  recruitment: Recruitment;
  sites: SiteCount[];
  completeness: CompletenessCell[];
  /** The worst first, a hundred at most. */
  missing: MissingField[];
  /** Share of empty values over all fields, in percent. */
  missingPercent: number | null;
}
