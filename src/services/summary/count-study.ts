import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import type { CrfCalls } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { compileForms } from '../../records/rules/form-checks.js';
import { chosenRecords, type StudyFilter } from './chosen-records.js';
import { checkFilter } from './list-filter.js';
import { MONTHS, recruitmentBy, WEEKS } from './recruitment.js';
import { dateFieldOf, todayOf, type StudyOptions } from './study-options.js';
import type { CompletenessCell, MissingField, StudySummary } from './study-summary.js';
import type { StudyCounts } from './study-release.js';
import { StudyTally, type DagTally, type FieldTally } from './study-tally.js';

const MOST_MISSING_FIELDS = 100;

/**
 * Counts a study, or the part of it that a filter selects, in one pass over the records. Memory: depends on the size of
 * the project.
 *
 * @throws {InvalidRequestError} the filter selects what does not exist
 * @throws {CrfError} errors of `CrfClient.openRecords`
 */
export async function countStudy(
  source: CrfCalls,
  options: StudyOptions,
  filter: StudyFilter,
  clock: () => Date,
): Promise<StudyCounts> {
  const call = { caller: 'summary' };
  const [structure, info, instruments, groups] = await Promise.all([
    loadProjectStructure(source, call),
    source.project.getInfo(call),
    source.instruments.list(call),
    // Without the right to list groups, their unique names are still known from the records.
    source.dags.list(call).catch(() => []),
  ]);
  checkFilter(filter, structure);
  const date = dateFieldOf(structure, options);
  const dateField = date?.name;
  const tally = new StudyTally(structure, await compileForms(structure, clock), filter, options);
  for await (const [listed, rows] of chosenRecords(source, { structure, plan: options, filter }, call))
    tally.add(listed, rows);

  const labels = new Map(instruments.map(({ name, label }) => [name, withoutTags(label)]));
  const { byDay, records } = tally;
  const today = todayOf(options, clock);
  const months = recruitmentBy(MONTHS, byDay, options, today);
  const summary: StudySummary = {
    madeAt: clock().toISOString(),
    smallCell: 0,
    title: info.title,
    isLongitudinal: structure.isLongitudinal,
    records,
    fields: structure.dictionary.fields.filter(({ type }) => type !== 'descriptive').length,
    instruments: structure.dictionary.instruments.length,
    recruitment: {
      dateField: dateField ?? null,
      dateLabel: withoutTags(date?.label ?? ''),
      isChosen: options.dateField !== undefined,
      undated: records - (months.at(-1)?.cumulated ?? 0),
      plannedStart: options.start ?? null,
      plannedEnd: options.end ?? null,
      target: options.target ?? null,
      months,
      weeks: recruitmentBy(WEEKS, byDay, options, today),
    },
    dags: dagsOf(tally.byDag, groups),
    completeness: gridOf(tally, structure, labels),
    missing: worstFields(tally.fields),
    missingPercent: percentOf(
      tally.fields.reduce((sum, { missing }) => sum + missing, 0),
      tally.fields.reduce((sum, { shown }) => sum + shown, 0),
    ),
  };
  return {
    summary,
    recordsOfArm: tally.recordsOfArm,
    fields: tally.fields.map(({ field, shown, missing, stray }) => ({ field, shown, missing, stray })),
  };
}

function dagsOf(
  byDag: ReadonlyMap<string, DagTally>,
  groups: readonly { readonly uniqueName: string; readonly name: string }[],
): StudySummary['dags'] {
  const labels = new Map(groups.map(({ uniqueName, name }) => [uniqueName, name]));
  const names = new Set([...labels.keys(), ...byDag.keys()].filter((name) => name !== ''));
  if (names.size === 0) return [];
  const none = byDag.get('');
  const nothing = { records: 0, complete: 0, forms: 0 };
  return [
    ...[...names].map((dag) => ({
      dag,
      label: labels.get(dag) ?? dag,
      ...(byDag.get(dag) ?? nothing),
      daysToEntry: null,
    })),
    ...(none === undefined ? [] : [{ dag: '', label: 'No data access group', ...none, daysToEntry: null }]),
  ].sort((one, other) => other.records - one.records);
}

function gridOf(
  tally: StudyTally,
  structure: ProjectStructure,
  labels: ReadonlyMap<string, string>,
): CompletenessCell[] {
  const events = new Map(structure.events.map(({ uniqueName, label }) => [uniqueName, label]));
  return tally.places.map(({ records: withForm, ...place }) => {
    const { event, instrument } = place;
    const records = tally.recordsOfArm.get(tally.armOf(event)) ?? 0;
    return {
      ...place,
      eventLabel: withoutTags(events.get(event) ?? event),
      instrumentLabel: labels.get(instrument) ?? instrument,
      records,
      notBegun: Math.max(0, records - withForm),
    };
  });
}

function worstFields(fields: readonly FieldTally[]): MissingField[] {
  return fields
    .filter(({ missing }) => missing > 0)
    .sort((one, other) => other.missing / other.shown - one.missing / one.shown)
    .slice(0, MOST_MISSING_FIELDS)
    .map(({ field, shown, missing, unknown }) => ({
      field: field.name,
      label: withoutTags(field.label),
      instrument: field.instrument,
      shown,
      missing,
      percent: percentOf(missing, shown),
      hasUnreadLogic: unknown > 0,
    }));
}

function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
}
