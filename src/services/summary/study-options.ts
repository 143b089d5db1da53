import type { Field } from '../../domain/dictionary/field.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';

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
  /** The forms, and the events with all of their forms, that a record may have but is not expected to have. */
  readonly optional?: { readonly forms: readonly string[]; readonly events: readonly string[] } | undefined;
  readonly schedule?: StudySchedule | undefined;
  /** The time zone in which a day begins and ends; UTC by default. */
  readonly timeZone?: string | undefined;
  /** The day, `YYYY-MM-DD`, that the study takes for today; for a made-up study, which has a last day. */
  readonly today?: string | undefined;
}

/** When the visits of a record are expected. */
export interface StudySchedule {
  /** The date field from which the days of the visits are counted. */
  readonly anchor: string;
  /** The date field with the last day of a record in the study, after which no visit is expected. */
  readonly end?: string | undefined;
  /** The date field with the day of a visit, at the events of the schedule. */
  readonly visitDate?: string | undefined;
  /** The visits by unique event name: the day, counted from the anchor, and how many days earlier or later it may be. */
  readonly visits: Readonly<
    Record<string, { readonly day: number; readonly before: number; readonly after: number }>
  >;
}

/** Returns the field with the date on which a record joined; undefined if the project has none. */
export function dateFieldOf(
  { dictionary }: ProjectStructure,
  { dateField }: StudyOptions,
): Field | undefined {
  if (dateField !== undefined) return dictionary.field(dateField);
  const [first] = dictionary.instruments;
  return dictionary.fields.find((field) => field.instrument === first && isDateField(field));
}

function isDateField(field: Field | undefined): boolean {
  return field !== undefined && /^date(time)?_/.test(field.validationType);
}

/**
 * Whether every record of the arm is expected to have a form. What repeats is filled in when something happens, and the
 * plan of the study may name more that is optional.
 */
export function isExpected(
  structure: ProjectStructure,
  event: string,
  instrument: string,
  { optional }: Pick<StudyOptions, 'optional'>,
): boolean {
  if (optional?.forms.includes(instrument) === true || optional?.events.includes(event) === true)
    return false;
  return !structure.repeatsInstrument(event, instrument) && !structure.repeatsEvent(event);
}

/**
 * Returns the fields, forms and events that a plan names and the project does not have, each once; a field without
 * dates that should have the day of a visit as `name (as a date)`.
 */
export function notInProject(
  { dictionary, eventNames }: ProjectStructure,
  { dateField, optional, schedule }: StudyOptions,
): string[] {
  const fields = [dateField, schedule?.anchor, schedule?.end].filter((name) => name !== undefined);
  const { visitDate } = schedule ?? {};
  const hasVisitDate = visitDate === undefined || isDateField(dictionary.field(visitDate));
  const events = [...(optional?.events ?? []), ...Object.keys(schedule?.visits ?? {})];
  return [
    ...new Set([
      ...fields.filter((name) => dictionary.field(name) === undefined),
      ...(hasVisitDate ? [] : [`${visitDate} (as a date)`]),
      ...(optional?.forms ?? []).filter((name) => !dictionary.instruments.includes(name)),
      ...events.filter((name) => !eventNames.includes(name)),
    ]),
  ];
}

/** Returns today, `YYYY-MM-DD`, in the time zone of the study. */
export function todayOf({ today, timeZone = 'UTC' }: StudyOptions, clock: () => Date): string {
  // The Canadian form of a date is that of ISO 8601.
  return today ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(clock());
}
