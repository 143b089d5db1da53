import { QualityTally, type QualitySummary } from '../quality/quality-report.js';
import type { ListFilter } from './list-filter.js';
import type { StudyLists } from './study-lists.js';

/** Provides the findings of a part of the study. */
export type FindingSource = Pick<StudyLists, 'findings'>;

/** The counts, and when the pass over the records began. */
export interface DatedQualitySummary extends QualitySummary {
  /** ISO 8601. */
  readonly madeAt: string;
  /** The number of findings by unique name of the data access group, of those that have any. */
  readonly byDag: ReadonlyMap<string, number>;
}

/** Counts quality findings by rule in one pass. Memory: a batch of records. @throws {CrfError} errors of `StudyLists.findings` */
export async function countFindings(
  source: FindingSource,
  clock: () => Date,
  filter: ListFilter,
): Promise<DatedQualitySummary> {
  const madeAt = clock().toISOString();
  const tally = new QualityTally();
  const byDag = new Map<string, number>();
  let records = 0;
  const onRecord = (): void => tally.setRecords(++records);
  for await (const finding of source.findings(filter, { caller: 'summary' }, onRecord)) {
    tally.add(finding);
    if (finding.record !== '') byDag.set(finding.dag, (byDag.get(finding.dag) ?? 0) + 1);
  }
  return { ...tally.summary, madeAt, byDag };
}
