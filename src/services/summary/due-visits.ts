import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import { dayIn, formLister, type ListedRecord } from './listed-forms.js';
import type { StudyOptions } from './study-options.js';

export const VISIT_STATES = ['overdue', 'thisWeek', 'coming'] as const;
/** How near a visit is: its window is over, is open at some time of the next seven days, or opens later. */
export type VisitState = (typeof VISIT_STATES)[number];

/** A visit of which a form has not begun. */
export interface DueVisit extends ListedRecord {
  readonly event: string;
  readonly state: VisitState;
  /** The planned day, `YYYY-MM-DD`. */
  readonly day: string;
  /** The first day of the window. */
  readonly opens: string;
  /** The last day of the window. */
  readonly closes: string;
  /** The instruments that have not begun. In CSV, with blanks between them. */
  readonly instruments: readonly string[];
}

const DAY_MS = 86_400_000;
const [FIRST_DAY, LAST_DAY] = [Date.parse('0000-01-01'), Date.parse('9999-12-31')];

/**
 * Lists the visits of a record that are due or will be, in the order of the project. A record without a date in the
 * anchor field has none, and none is due after the record has left the study.
 *
 * @param rows all rows of the record, with the form statuses and the fields of the schedule
 */
export type VisitLister = (listed: ListedRecord, rows: readonly RecordRow[]) => DueVisit[];

/** Prepares the lists of the visits of the records of a project. @param today `YYYY-MM-DD` */
export function visitLister(structure: ProjectStructure, plan: StudyOptions, today: string): VisitLister {
  const { schedule } = plan;
  if (schedule === undefined) return () => [];
  const formsOf = formLister(structure, plan);
  const inAWeek = later(today, 6);
  return (listed, rows) => {
    const anchor = dayIn(rows, schedule.anchor);
    if (anchor === '') return [];
    const end = schedule.end === undefined ? '' : dayIn(rows, schedule.end);
    const missing = formsOf(listed, rows).filter(({ status }) => status === 'notBegun');
    return structure.eventNames.flatMap((event): DueVisit[] => {
      const planned = schedule.visits[event];
      const instruments = missing.filter((each) => each.event === event).map(({ instrument }) => instrument);
      if (planned === undefined || instruments.length === 0) return [];
      const day = later(anchor, planned.day);
      if (end !== '' && day > end) return [];
      const [opens, closes] = [later(day, -planned.before), later(day, planned.after)];
      const state = closes < today ? 'overdue' : opens > inAWeek ? 'coming' : 'thisWeek';
      return [{ ...listed, event, state, day, opens, closes, instruments }];
    });
  };
}

/** Returns a day some days later: one of the years 0 to 9999, because others have no `YYYY-MM-DD`. */
export function later(day: string, days: number): string {
  const time = Date.parse(day) + days * DAY_MS;
  return new Date(Math.min(Math.max(time, FIRST_DAY), LAST_DAY)).toISOString().slice(0, 10);
}
