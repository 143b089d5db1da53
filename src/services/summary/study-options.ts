import type { Field } from '../../dictionary/field.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';

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

/** Returns the field with the date on which a record joined; undefined if the project has none. */
export function dateFieldOf(
  { dictionary }: ProjectStructure,
  { dateField }: StudyOptions,
): Field | undefined {
  if (dateField !== undefined) return dictionary.field(dateField);
  const [first] = dictionary.instruments;
  return dictionary.fields.find(
    ({ instrument, validationType }) => instrument === first && /^date(time)?_/.test(validationType),
  );
}

/** Whether every record of the arm is expected to have a form. What repeats is filled in when something happens. */
export function isExpected(structure: ProjectStructure, event: string, instrument: string): boolean {
  return !structure.repeatsInstrument(event, instrument) && !structure.repeatsEvent(event);
}
