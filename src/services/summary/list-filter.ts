import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import { isDay } from '../../domain/dictionary/text-validations.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { unknownName } from '../../domain/identifiers/nearest-name.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import type { EventNameText, InstrumentNameText } from '../../domain/identifiers/names.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import type { QualityRule } from '../../records/rules/quality-finding.js';
import { textOf } from '../../records/rules/record-view.js';
import type { DueVisit, VisitState } from './due-visits.js';
import type { ListedFinding, ListedForm, ListedRecord, ListedStatus } from './listed-forms.js';

/** Selects visits. */
export interface VisitFilter {
  /** Only visits of this state. */
  readonly state?: VisitState;
  /** Only records of this data access group, by its unique name. */
  readonly site?: string;
  /**
   * Only events of this arm.
   * @isInt
   * @minimum 1
   */
  readonly arm?: number;
  /** Only this event. */
  readonly event?: EventNameText;
  /** Only visits of which this instrument has not begun. */
  readonly form?: InstrumentNameText;
  /** Only records that joined on this day or later, `YYYY-MM-DD`. */
  readonly from?: string;
  /** Only records that joined on this day or earlier, `YYYY-MM-DD`. */
  readonly to?: string;
}

/** Selects forms, the records that have them, or visits; all by default. An empty site is that of records without one. */
export interface ListFilter extends OrUndefined<VisitFilter> {
  readonly statuses?: readonly ListedStatus[] | undefined;
  /** Only findings of this rule. */
  readonly rule?: QualityRule | undefined;
  /** Of findings: only those on what was entered or changed since this day; see `QualityRequest`. */
  readonly changedSince?: string | undefined;
  /** Only records whose id contains this text. */
  readonly record?: string | undefined;
}

/** Returns whether a list has anything of a record. */
export function isChosen({ record: id, site, joined }: ListedRecord, filter: ListFilter): boolean {
  const { from, to, record } = filter;
  if (filter.site !== undefined && site !== filter.site) return false;
  if (from !== undefined && !(joined >= from)) return false;
  if (to !== undefined && (joined === '' || joined > to)) return false;
  return record === undefined || id.toLowerCase().includes(record.toLowerCase());
}

/** Returns whether a record has a row in the arm that a filter selects. */
export function armFilter(
  { arm }: ListFilter,
  { events }: ProjectStructure,
): (rows: readonly RecordRow[]) => boolean {
  if (arm === undefined) return () => true;
  const ofArm = new Set(events.filter(({ armNumber }) => armNumber === arm).map((each) => each.uniqueName));
  return (rows) => rows.some((row) => ofArm.has(textOf(row, 'redcap_event_name')));
}

/** Whether a filter selects records, or parts of them. */
export function selectsRecords({ event, arm, site, from, to, record }: ListFilter): boolean {
  return [event, arm, site, from, to, record].some((part) => part !== undefined);
}

/** Whether a list of records is of those that have certain forms. */
export function asksForForms({ form, event, statuses }: ListFilter): boolean {
  return [form, event, statuses].some((part) => part !== undefined);
}

/** Returns whether a list has a form. */
export function formFilter(
  { form, event, arm, statuses }: ListFilter,
  { events }: ProjectStructure,
): (listed: ListedForm) => boolean {
  const ofArm = new Set(events.filter(({ armNumber }) => armNumber === arm).map((each) => each.uniqueName));
  return (listed) =>
    (form === undefined || listed.form === form) &&
    (event === undefined || listed.event === event) &&
    (arm === undefined || ofArm.has(listed.event)) &&
    (statuses === undefined || statuses.includes(listed.status));
}

/** Returns whether a list has a finding. */
export function findingFilter(
  { form, event, arm, rule }: ListFilter,
  { events }: ProjectStructure,
): (finding: Pick<ListedFinding, 'form' | 'event' | 'rule'>) => boolean {
  const ofArm = new Set(events.filter(({ armNumber }) => armNumber === arm).map((each) => each.uniqueName));
  return (finding) =>
    (form === undefined || finding.form === form) &&
    (event === undefined || finding.event === event) &&
    (arm === undefined || ofArm.has(finding.event)) &&
    (rule === undefined || finding.rule === rule);
}

/** Returns whether a list has a visit. */
export function visitFilter(
  { form, event, arm, site, state }: ListFilter,
  { events }: ProjectStructure,
): (visit: DueVisit) => boolean {
  const ofArm = new Set(events.filter(({ armNumber }) => armNumber === arm).map((each) => each.uniqueName));
  return (visit) =>
    (form === undefined || visit.missing.includes(form)) &&
    (event === undefined || visit.event === event) &&
    (arm === undefined || ofArm.has(visit.event)) &&
    (site === undefined || visit.site === site) &&
    (state === undefined || visit.state === state);
}

/** @throws {InvalidRequestError} a day is not valid, or a form, event or arm does not exist */
export function checkFilter(filter: ListFilter, structure: ProjectStructure): void {
  checkDays(filter);
  checkNames(filter, structure);
}

function checkDays({ from, to }: ListFilter): void {
  for (const [field, day] of Object.entries({ from, to }))
    if (day !== undefined && !isDay(day)) throw refused(field, 'must be a day such as 2026-11-25');
  if (from !== undefined && to !== undefined && from > to) throw refused('to', 'must not be before from');
}

function checkNames({ form, event, arm }: ListFilter, structure: ProjectStructure): void {
  const { eventNames, events } = structure;
  const { instruments } = structure.dictionary;
  const problems: FieldProblem[] = [
    ...(form !== undefined && !instruments.includes(form)
      ? [unknownName('instrument', 'form', form, instruments)]
      : []),
    ...(event !== undefined && !eventNames.includes(event)
      ? [unknownName('event', 'event', event, eventNames)]
      : []),
    ...(arm !== undefined && !events.some(({ armNumber }) => armNumber === arm)
      ? [unknownName('arm', 'arm', arm)]
      : []),
  ];
  if (problems.length > 0) throw new InvalidRequestError(problems);
}

/** The error of one part of a request. */
export function refused(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}
