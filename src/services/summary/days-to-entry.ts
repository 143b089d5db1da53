import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { CallOptions, CrfCalls } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { textOf } from '../../records/rules/record-view.js';
import { changedAmong, changesSince } from '../quality/recent-changes.js';
import { chosenRecords, type StudyFilter } from './chosen-records.js';
import { later } from './due-visits.js';
import { checkFilter, chosenEvents } from './list-filter.js';
import { dayOfText } from './listed-forms.js';
import { quantileOf } from './number-figures.js';
import { dateFieldOf, todayOf, type StudyOptions } from './study-options.js';

/** How long it takes in each data access group until a visit is entered. */
export interface DaysToEntry {
  /** ISO 8601. */
  readonly madeAt: string;
  /** The median by unique name of the data access group, empty for records without one; of those that have visits. */
  readonly byDag: ReadonlyMap<string, number>;
}

/** Visits count that were entered within so many days. */
const ENTERED_DAYS = 90;
/** A visit that is longer ago, or later than its entry, is taken for a mistyped date, such as one of another year. */
const MOST_DAYS = 365;
const DAY_MS = 86_400_000;

/**
 * Finds the median number of days from a visit to the entry of its date, over the visits of the schedule that were
 * entered in the last 90 days. Memory: some 100 bytes for each of these visits.
 *
 * @returns no medians if the plan has no `visitDate`, or the project not this field
 * @throws {InvalidRequestError} the filter selects what does not exist
 * @throws {CrfError} errors of `Log.open` and `streamRecords`
 */
export async function medianDaysToEntry(
  source: CrfCalls,
  plan: StudyOptions,
  filter: StudyFilter,
  clock: () => Date,
): Promise<DaysToEntry> {
  const madeAt = clock().toISOString();
  const byDag = new Map<string, number[]>();
  for await (const { dag, days } of visitsEntered(source, plan, filter, todayOf(plan, clock))) {
    const list = byDag.get(dag) ?? [];
    byDag.set(dag, list);
    list.push(days);
  }
  const medians = [...byDag].map(
    ([dag, days]) => [dag, quantileOf(Float64Array.from(days).sort(), 0.5) ?? 0] as const,
  );
  return { madeAt, byDag: new Map(medians) };
}

/**
 * Yields the visits that were entered in the 90 days before a day. The log says when: by the first entry of that time
 * that names the date. The date and the group are those that the record has now, because a view of a project hides the
 * values in its log.
 */
async function* visitsEntered(
  source: CrfCalls,
  plan: StudyOptions,
  filter: StudyFilter,
  today: string,
): AsyncGenerator<{ readonly dag: string; readonly days: number }, void, undefined> {
  const call = { caller: 'summary' };
  const structure = await loadProjectStructure(source, call);
  checkFilter(filter, structure);
  const { dictionary } = structure;
  const { visits, visitDate } = plan.schedule ?? {};
  if (visits === undefined || visitDate === undefined || dictionary.field(visitDate) === undefined) return;
  const entered = await entryDays(source, structure, visitDate, later(today, -ENTERED_DAYS), call);
  const records = changedAmong(undefined, { records: new Set(entered.keys()) });
  if (records?.length === 0) return; // no names would mean every record
  const others = [dictionary.recordIdField, dateFieldOf(structure, plan)];
  const fields = [...new Set([...others.flatMap((field) => field?.name ?? []), visitDate])];
  const selection = { fields, records, ...call };
  const chosen = chosenEvents(filter, structure);
  for await (const [listed, rows] of chosenRecords(source, { structure, plan, filter }, selection))
    for (const row of rows) {
      const event = textOf(row, 'redcap_event_name');
      if (visits[event] === undefined || chosen?.has(event) === false) continue;
      const entry = entered
        .get(listed.record)
        ?.get(placeOf(event, Number(row['redcap_repeat_instance'] ?? 0) || 1));
      const days = (Date.parse(entry ?? '') - Date.parse(dayOfText(textOf(row, visitDate)))) / DAY_MS;
      if (days >= 0 && days <= MOST_DAYS) yield { dag: listed.dag, days };
    }
}

/** Reads on which day a field was first entered or changed since a day, by record and by event with instance. */
async function entryDays(
  source: CrfCalls,
  structure: ProjectStructure,
  field: string,
  since: string,
  call: CallOptions,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const entered = new Map<string, Map<string, string>>();
  for await (const { record, event, instance, fields, day } of changesSince(source, structure, since, call)) {
    if (!fields.includes(field)) continue;
    const places = entered.get(record) ?? new Map<string, string>();
    entered.set(record, places);
    // The log begins with the newest entry, so that the first one remains.
    places.set(placeOf(event, instance), day);
  }
  return entered;
}

function placeOf(event: string, instance: number): string {
  return `${event}\n${instance}`;
}
