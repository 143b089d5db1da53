import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { type MomentText, ServerTime } from '../../domain/dictionary/server-time.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { unknownName } from '../../domain/identifiers/nearest-name.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import type { EventNameText, InstrumentNameText } from '../../domain/identifiers/names.js';
import type { CallOptions, CrfCalls, RecordRow } from '../../gateways/redcap/crf-client.js';
import type { QualityRule } from '../../records/rules/quality-finding.js';
import { textOf } from '../../records/rules/record-view.js';
import type { VisitState } from './due-visits.js';
import type { ListRow } from './list-rows.js';
import type { StudyOptions } from './study-options.js';
import type { ListedRecord, ListedStatus } from './listed-forms.js';

/** Selects forms that are not complete, or visits. */
export interface FormFilter {
  /** Only records of this data access group, by its unique name. */
  readonly dag?: string;
  /**
   * Only events of this arm.
   * @isInt
   * @minimum 1
   */
  readonly arm?: number;
  /** Only this event. */
  readonly event?: EventNameText;
  /** Only this instrument; of visits, those of which it has not begun. */
  readonly instrument?: InstrumentNameText;
  /** Only records that joined on this day or later. */
  readonly from?: MomentText;
  /** Only records that joined on this day or earlier. */
  readonly until?: MomentText;
}

/** Selects visits. */
export interface VisitFilter extends FormFilter {
  /** Only visits of this state. */
  readonly state?: VisitState;
}

/** Selects forms, the records that have them, or visits; all by default. An empty group is that of records without one. */
export interface ListFilter extends OrUndefined<VisitFilter> {
  readonly statuses?: readonly ListedStatus[] | undefined;
  /** Only findings of this rule. */
  readonly rule?: QualityRule | undefined;
  /** Of findings: only those on what was entered or changed from this time on; see `FindingQuery.from`. */
  readonly changedFrom?: MomentText | undefined;
  /** Only records whose id contains this text. */
  readonly record?: string | undefined;
}

/** Returns whether a list has anything of a record. */
export function isChosen({ record: id, dag, joined }: ListedRecord, filter: ListFilter): boolean {
  const { from, until, record } = filter;
  if (filter.dag !== undefined && dag !== filter.dag) return false;
  if (from !== undefined && !(joined >= from)) return false;
  if (until !== undefined && (joined === '' || joined > until)) return false;
  return record === undefined || id.toLowerCase().includes(record.toLowerCase());
}

/** Returns the events whose forms a filter selects; undefined for all of them. A classic project has none. */
export function chosenEvents(
  { arm, event }: Pick<ListFilter, 'arm' | 'event'>,
  { events }: ProjectStructure,
): ReadonlySet<string> | undefined {
  if (events.length === 0 || (arm === undefined && event === undefined)) return undefined;
  const chosen = events.filter(
    (each) => (arm === undefined || each.arm === arm) && (event === undefined || each.uniqueName === event),
  );
  return new Set(chosen.map(({ uniqueName }) => uniqueName));
}

/** Returns whether a record has a row in the arm that a filter selects. */
export function armFilter(
  { arm }: ListFilter,
  structure: ProjectStructure,
): (rows: readonly RecordRow[]) => boolean {
  const ofArm = chosenEvents({ arm }, structure);
  return (rows) => ofArm === undefined || rows.some((row) => ofArm.has(textOf(row, 'redcap_event_name')));
}

/** Whether a filter selects records, or parts of them. */
export function selectsRecords({ event, arm, dag, from, until, record }: ListFilter): boolean {
  return [event, arm, dag, from, until, record].some((part) => part !== undefined);
}

/** Whether a list of records is of those that have certain forms. */
export function asksForForms({ instrument, event, statuses }: ListFilter): boolean {
  return [instrument, event, statuses].some((part) => part !== undefined);
}

/** What a filter selects by, besides the record: a form has one instrument and a status, a visit several and a state. */
type FilteredRow = Pick<ListRow, 'event' | 'instrument' | 'instruments' | 'status' | 'state' | 'rule'>;

/** Returns whether a list has a form, a visit or a finding. What a row does not have is not asked of it. */
export function rowFilter(filter: ListFilter, structure: ProjectStructure): (row: FilteredRow) => boolean {
  const { instrument, statuses, rule, state } = filter;
  const events = chosenEvents(filter, structure);
  return (row) =>
    (instrument === undefined || [row.instrument, row.instruments].flat().includes(instrument)) &&
    events?.has(row.event ?? '') !== false &&
    (statuses === undefined || row.status === undefined || statuses.includes(row.status)) &&
    (rule === undefined || row.rule === undefined || row.rule === rule) &&
    (state === undefined || row.state === undefined || row.state === state);
}

/**
 * Returns a filter whose period is of days, and of changes of seconds, in the time of REDCap's server. What is as long
 * ago is counted from the day of the study.
 *
 * @throws {InvalidRequestError} errors of `ServerTime.periodOf`
 */
export function inDays<Filter extends ListFilter>(
  filter: Filter,
  { today, timeZone }: StudyOptions,
  clock: () => Date,
): Filter {
  const now = today === undefined ? clock : () => new Date(`${today}T12:00:00Z`);
  const { from, until } = new ServerTime(timeZone ?? 'UTC', now).periodOf(filter);
  const { from: changedFrom } = new ServerTime(timeZone, clock).periodOf(
    { from: filter.changedFrom },
    { from: 'changedFrom', until: '' },
  );
  const days = { from: from?.slice(0, 10), until: until?.slice(0, 10), changedFrom };
  return { ...filter, ...Object.fromEntries(Object.entries(days).filter(([, day]) => day !== undefined)) };
}

/** @throws {InvalidRequestError} a form, event or arm does not exist */
export function checkFilter({ instrument, event, arm }: ListFilter, structure: ProjectStructure): void {
  const { eventNames, events } = structure;
  const { instruments } = structure.dictionary;
  const problems: FieldProblem[] = [
    ...(instrument !== undefined && !instruments.includes(instrument)
      ? [unknownName('instrument', 'instrument', instrument, instruments)]
      : []),
    ...(event !== undefined && !eventNames.includes(event)
      ? [unknownName('event', 'event', event, eventNames)]
      : []),
    ...(arm !== undefined && !events.some((each) => each.arm === arm)
      ? [unknownName('arm', 'arm', arm)]
      : []),
  ];
  if (problems.length > 0) throw new InvalidRequestError(problems);
}

/** @throws {InvalidRequestError} a group does not exist; without the right to list groups, it has no records */
export async function checkDag(
  source: Pick<CrfCalls, 'dags'>,
  { dag }: ListFilter,
  call: CallOptions,
): Promise<void> {
  if (!dag) return;
  const names = await source.dags.list(call).then(
    (groups) => groups.map(({ uniqueName }) => uniqueName),
    () => [dag],
  );
  if (!names.includes(dag)) throw new InvalidRequestError([unknownName('dag', 'dag', dag, names)]);
}
