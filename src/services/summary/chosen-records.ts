import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { CrfCalls, RecordRow, StreamRecordsOptions } from '../../gateways/redcap/crf-client.js';
import { streamRecords } from '../../records/export/stream-records.js';
import { recordsOf } from '../../records/rules/records-of.js';
import { armFilter, isChosen, type ListFilter } from './list-filter.js';
import { listedRecord, type ListedRecord } from './listed-forms.js';
import { dateFieldOf, type StudyOptions } from './study-options.js';

/** Selects part of a study: records by data access group, arm and day of joining, as `inDays` has it, and of their forms those of an event or arm. */
export type StudyFilter = Pick<ListFilter, 'dag' | 'arm' | 'event' | 'from' | 'until'>;

/** Whether a filter selects less than the whole study. */
export function isFiltered(filter: StudyFilter): boolean {
  return Object.values(filter).some((part) => part !== undefined);
}

/** Which records of a project are read. */
interface ChosenPart {
  readonly structure: ProjectStructure;
  readonly plan: StudyOptions;
  readonly filter: ListFilter;
}

/**
 * Yields the records that a filter selects with all their rows, in the order of the project. Memory: a chunk of REDCap's
 * answer, and the rows of a record, of which any may say where it belongs.
 *
 * @param selection what to read of them; the day of joining is known only if its field is read
 * @throws {UpstreamInvalidError} a record has more than 100,000 rows
 * @throws {CrfError} errors of `streamRecords`
 */
export async function* chosenRecords(
  source: CrfCalls,
  { structure, plan, filter }: ChosenPart,
  selection: StreamRecordsOptions,
): AsyncGenerator<readonly [listed: ListedRecord, rows: readonly RecordRow[]], void, undefined> {
  const dateField = dateFieldOf(structure, plan)?.name;
  const isInArm = armFilter(filter, structure);
  const exported = streamRecords(source, {
    ...selection,
    exportDataAccessGroups: true,
    exportBlankForGrayFormStatus: true,
  });
  for await (const [id, rows] of recordsOf(exported, structure)) {
    const listed = listedRecord(id, rows, dateField);
    if (isChosen(listed, filter) && isInArm(rows)) yield [listed, rows];
  }
}
