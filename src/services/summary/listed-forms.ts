import { isDay } from '../../domain/dictionary/text-validations.js';
import { formStatusName } from '../../domain/dictionary/export-column.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import type { QualityFinding } from '../../records/rules/quality-finding.js';
import { textOf } from '../../records/rules/record-view.js';
import type { FORM_STATUSES } from './form-counts.js';
import { isExpected, type StudyOptions } from './study-options.js';

export type ListedStatus = (typeof FORM_STATUSES)[number];

/** The statuses of a form on which there is something to do. */
export const NOT_COMPLETE = [
  'unverified',
  'incomplete',
  'notBegun',
] as const satisfies readonly ListedStatus[];

/** What is listed of a record: where it belongs and when it joined. */
export interface ListedRecord {
  readonly record: string;
  /** The unique name of the data access group; empty without one. */
  readonly dag: string;
  /** The day on which the record joined the study; empty if it has none. */
  readonly joined: string;
}

/** One form of a record, or one that it is expected to have. */
export interface ListedForm extends ListedRecord {
  /** The unique event name; empty in a classic project. */
  readonly event: string;
  readonly instrument: string;
  /** The repeat instance; null if the form does not repeat, or was not begun. */
  readonly instance: number | null;
  /** `notBegun`: nothing of the form was ever saved, and the plan of the study expects it. */
  readonly status: ListedStatus;
}

/** A finding of the quality rules. Its record is empty if it is about the project. */
export interface ListedFinding extends ListedRecord, QualityFinding {}

const BY_VALUE: Readonly<Record<string, ListedStatus>> = {
  '0': 'incomplete',
  '1': 'unverified',
  '2': 'complete',
};

/** Returns the status of a form on a row of its own or of its event; undefined if it was not begun. */
export function statusOf(row: RecordRow, instrument: string): ListedStatus | undefined {
  return BY_VALUE[textOf(row, formStatusName(instrument))];
}

/** Returns what is listed of the record itself. The first row with a value decides, as in the summary. */
export function listedRecord(
  id: string,
  rows: readonly RecordRow[],
  dateField: string | undefined,
): ListedRecord {
  return {
    record: id,
    dag: firstIn(rows, 'redcap_data_access_group'),
    joined: dateField === undefined ? '' : dayIn(rows, dateField),
  };
}

/** Returns the day of the first value in a column of dates; empty if there is none, or if it is no date. */
export function dayIn(rows: readonly RecordRow[], column: string): string {
  return dayOfText(firstIn(rows, column));
}

/** Returns the day of a date with or without a time; empty if it is none. */
export function dayOfText(value: string): string {
  const day = value.slice(0, 10);
  return isDay(day) ? day : '';
}

function firstIn(rows: readonly RecordRow[], column: string): string {
  return rows.map((row) => textOf(row, column)).find((value) => value !== '') ?? '';
}

/** Returns a function that adds what is listed of a record to its findings. */
export function listedFinding(listed: ListedRecord): (finding: QualityFinding) => ListedFinding {
  return (finding) => ({ ...finding, ...listed });
}

/** An instrument at an event, as a list looks for it. */
interface FormPlace {
  readonly instrument: string;
  readonly status: string;
  readonly isExpected: boolean;
  /** Whether its instances have rows of their own; otherwise it shares the rows of its event. */
  readonly hasOwnRows: boolean;
}

/**
 * Lists the forms of a record by event and instrument, in the order of the project: those that were begun, and those
 * that its arms expect and that were not. The summary counts the same ones (`StudyTally`). What the structure says of
 * each form is looked up once for all records.
 *
 * @param rows all rows of the record, exported with `exportBlankForGrayFormStatus`
 */
export type FormLister = (listed: ListedRecord, rows: readonly RecordRow[]) => ListedForm[];

/** Prepares the lists of the forms of the records of a project. */
export function formLister(structure: ProjectStructure, plan: Pick<StudyOptions, 'optional'>): FormLister {
  const armOf = new Map(structure.events.map(({ uniqueName, arm }) => [uniqueName, arm]));
  const events = structure.eventNames.map((event) => ({
    event,
    arm: armOf.get(event),
    places: structure.instrumentsAt(event).map((instrument): FormPlace => ({
      instrument,
      status: formStatusName(instrument),
      isExpected: isExpected(structure, event, instrument, plan),
      hasOwnRows: structure.repeatsInstrument(event, instrument),
    })),
  }));
  return ({ record, dag, joined }, rows) => {
    const eventOf = rows.map((row) => textOf(row, 'redcap_event_name'));
    const arms = new Set(eventOf.map((event) => armOf.get(event)));
    const forms: ListedForm[] = [];
    for (const { event, arm, places } of events) {
      if (!arms.has(arm)) continue;
      const there = rows.filter((_, index) => eventOf[index] === event);
      for (const { instrument, status: column, isExpected: isDue, hasOwnRows } of places) {
        const before = forms.length;
        for (const row of there) {
          const repeating = textOf(row, 'redcap_repeat_instrument');
          if (repeating !== instrument && (repeating !== '' || hasOwnRows)) continue;
          const status = BY_VALUE[textOf(row, column)];
          if (status === undefined) continue;
          const instance = Number(row['redcap_repeat_instance'] ?? 0) || null;
          forms.push({ record, dag, joined, event, instrument, instance, status });
        }
        if (isDue && forms.length === before)
          forms.push({ record, dag, joined, event, instrument, instance: null, status: 'notBegun' });
      }
    }
    return forms;
  };
}
