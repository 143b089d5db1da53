import { formStatusName } from '../../dictionary/export-column.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import type { QualityFinding } from '../../records/rules/quality-finding.js';
import { RecordView, textOf, type ViewedRow } from '../../records/rules/record-view.js';
import type { FORM_STATUSES } from './form-counts.js';
import { isExpected, type StudyOptions } from './study-options.js';

export type ListedStatus = (typeof FORM_STATUSES)[number];

/** What is listed of a record: where it belongs and when it joined. */
export interface ListedRecord {
  readonly record: string;
  /** The unique name of the data access group; empty without one. */
  readonly site: string;
  /** The day on which the record joined, `YYYY-MM-DD`; empty if it is not known. */
  readonly joined: string;
}

/** One form of a record, or one that it is expected to have. */
export interface ListedForm extends ListedRecord {
  /** The unique event name; empty in a classic project. */
  readonly event: string;
  readonly form: string;
  /** The repeat instance; null if the form does not repeat, or was not begun. */
  readonly instance: number | null;
  readonly status: ListedStatus;
}

/** A finding of the quality rules. Its record is empty if it is about the project. */
export interface ListedFinding
  extends ListedRecord, Pick<QualityFinding, 'event' | 'instance' | 'field' | 'rule' | 'message'> {
  readonly form: string;
}

const BY_VALUE: Readonly<Record<string, ListedStatus>> = {
  '0': 'incomplete',
  '1': 'unverified',
  '2': 'complete',
};

/** Returns what is listed of the record itself. The first row with a value decides, as in the summary. */
export function listedRecord(
  id: string,
  rows: readonly RecordRow[],
  dateField: string | undefined,
): ListedRecord {
  return {
    record: id,
    site: firstIn(rows, 'redcap_data_access_group'),
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
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : '';
}

function firstIn(rows: readonly RecordRow[], column: string): string {
  return rows.map((row) => textOf(row, column)).find((value) => value !== '') ?? '';
}

/** Returns a function that adds what is listed of a record to its findings. */
export function listedFinding(listed: ListedRecord): (finding: QualityFinding) => ListedFinding {
  return ({ event, instrument: form, instance, field, rule, message }) => ({
    ...{ ...listed, event, form, instance, field, rule, message },
  });
}

/**
 * Returns the forms of a record by event and instrument, in the order of the project: those that were begun, and those
 * that its arms expect and that were not. The summary counts the same ones (`StudyTally`).
 *
 * @param rows all rows of the record, exported with `exportBlankForGrayFormStatus`
 */
export function listedForms(
  listed: ListedRecord,
  rows: readonly RecordRow[],
  structure: ProjectStructure,
  plan: Pick<StudyOptions, 'optional'>,
): ListedForm[] {
  const view = new RecordView(structure, listed.record, rows);
  const armOf = new Map(structure.events.map(({ uniqueName, armNumber }) => [uniqueName, armNumber]));
  const arms = new Set(view.rows.map(({ event }) => armOf.get(event)));
  return structure.eventNames.flatMap((event) => {
    if (!arms.has(armOf.get(event))) return [];
    const there = view.rows
      .filter((row) => row.event === event)
      .map((row) => [row, new Set(view.instrumentsOn(row))] as const);
    return structure.instrumentsAt(event).flatMap((form) => {
      const { record, site, joined } = listed;
      // Named one by one: a list has many, and spread objects took most of its time.
      const begun = there
        .flatMap(([row, forms]) => (forms.has(form) ? formOn(row, form) : []))
        .map(({ instance, status }): ListedForm => ({ record, site, joined, event, form, instance, status }));
      if (begun.length > 0 || !isExpected(structure, event, form, plan)) return begun;
      return [{ record, site, joined, event, form, instance: null, status: 'notBegun' as const }];
    });
  });
}

function formOn({ instance, values }: ViewedRow, form: string): Pick<ListedForm, 'instance' | 'status'>[] {
  const status = BY_VALUE[textOf(values, formStatusName(form))];
  return status === undefined ? [] : [{ instance: instance === 0 ? null : instance, status }];
}
