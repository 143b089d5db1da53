import type { FieldCounts, StudyCounts } from '../../../../src/services/summary/study-release.js';
import type {
  CompletenessCell,
  RecruitmentPeriod,
  StudySummary,
} from '../../../../src/services/summary/study-summary.js';
import { CELL } from '../../../support/some-cell.js';

/** Parts of a summary with all counts; months and data access groups as the numbers of their records. */
export interface CountedParts {
  readonly months?: readonly number[];
  readonly dags?: readonly number[];
  readonly undated?: number;
  readonly records?: number;
  readonly cells?: readonly Partial<CompletenessCell>[];
  readonly fields?: readonly (Omit<FieldCounts, 'field'> & { readonly name: string })[];
  readonly arms?: readonly number[];
}

/** Returns the counts of a study of one instrument, `visit`, which 200 records have completed. */
export function someStudyCounts(parts: CountedParts = {}): StudyCounts {
  const { months = [], dags = [], undated = 0, cells = [{}], fields = [] } = parts;
  const { records = months.length === 0 ? 200 : months.reduce((sum, month) => sum + month, undated) } = parts;
  const { arms = [records] } = parts;
  let cumulated = 0;
  const periods = months.map((count, index): RecruitmentPeriod => {
    cumulated += count;
    return { start: `2026-${String(index + 1).padStart(2, '0')}-01`, records: count, cumulated, hoped: null };
  });
  const summary: StudySummary = {
    ...{ madeAt: '2026-11-22T00:00:00.000Z', smallCell: 0, title: 'T', isLongitudinal: false },
    ...{ records, fields: 1, instruments: 1 },
    recruitment: {
      ...{ dateField: 'joined', dateLabel: 'Day', isChosen: false, undated },
      ...{ plannedStart: null, plannedEnd: null, target: null, months: periods, weeks: periods },
    },
    dags: dags.map((count, index) => ({
      dag: `s${index}`,
      label: `Site ${index}`,
      ...{ records: count, complete: count, forms: count, daysToEntry: null },
    })),
    completeness: cells.map((cell, index) => ({
      ...CELL,
      ...{
        records,
        complete: records,
        incomplete: 0,
        notBegun: 0,
        event: cells.length > 1 ? `e${index}` : '',
      },
      ...cell,
    })),
    missing: fields.map(({ name, shown, missing }) => ({
      ...{ field: name, label: name, instrument: 'visit', shown, missing },
      ...{ percent: (missing / shown) * 100, hasUnreadLogic: false },
    })),
    missingPercent: 12.3,
  };
  return {
    summary,
    fields: fields.map(({ name, ...counts }) => ({ field: { name, instrument: 'visit' }, ...counts })),
    recordsOfArm: new Map(arms.map((count, index) => [index + 1, count])),
  };
}
