import { completeOf, formsOf, hasSeveralArms } from '../../services/summary/form-counts.js';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { formBars } from './form-bars.js';
import { formHeatMap } from './form-heat-map.js';
import { eventOf, STATUSES } from './form-statuses.js';
import { formsList, NOT_COMPLETE } from './list-address.js';
import { MOST_ROWS, type Plot } from './plot-frame.js';
import type { Texts } from '../texts/en.js';

/** The maximum number of bars. Above it, a heat map is easier to read. */
const MOST_BARS = 24;

/**
 * Plots form statuses by instrument and event: as stacked bars, or for large designs as a heat map of complete forms.
 *
 * @param lists the filter of the lists to which every count leads, for readers who may see records
 */
export function completenessPlot(
  t: Texts,
  cells: readonly CompletenessCell[],
  lists?: StudyFilter,
): Plot | undefined {
  if (cells.length === 0) return undefined;
  const hasArms = hasSeveralArms(cells);
  const { columns, heat, notExpected } = t.completeness;
  const isLarge = cells.length > MOST_BARS;
  return {
    name: 'completeness',
    title: t.completeness.title,
    words: wordsOf(t, cells),
    ...(isLarge ? formHeatMap(t, cells) : formBars(t, cells, lists)),
    isEmpty: cells.every((cell) => formsOf(cell) === 0),
    legend: isLarge
      ? [
          { className: 'heat-0', label: heat.none },
          { className: 'heat-2', label: heat.half },
          { className: 'heat-4', label: heat.all },
        ]
      : STATUSES.map(({ key, className }) => ({ className, label: t.study.statuses[key] })),
    columns: [columns.form, columns.records, ...STATUSES.map(({ key }) => t.study.statuses[key])],
    rows: cells.map((cell) => [
      nameOf(t, cell, hasArms),
      cell.records,
      ...STATUSES.map(({ key }) => (key === 'notBegun' && !cell.isExpected ? notExpected : cell[key])),
    ]),
    ...(lists !== undefined && {
      hrefs: cells
        .slice(0, MOST_ROWS)
        .map((cell) => [
          formsList(cell, NOT_COMPLETE, lists),
          undefined,
          ...STATUSES.map(({ key }) =>
            cell[key] && (key !== 'notBegun' || cell.isExpected) ? formsList(cell, [key], lists) : undefined,
          ),
        ]),
      note: t.completeness.note,
    }),
  };
}

function nameOf(t: Texts, cell: CompletenessCell, hasArms: boolean): string {
  const event = eventOf(t, cell, hasArms);
  return `${cell.instrumentLabel}${event === '' ? '' : `, ${event}`}${cell.isRepeating ? ` ${t.completeness.repeats}` : ''}`;
}

function wordsOf(t: Texts, cells: readonly CompletenessCell[]): string {
  const { complete, forms } = completeOf(cells);
  if (forms === 0) return t.completeness.none;
  const hasGaps = cells.some((cell) => STATUSES.some(({ key }) => cell[key] === null));
  const words = t.completeness.complete(complete, forms, Math.round((complete / forms) * 100));
  return hasGaps ? `${words} ${t.completeness.smallLeftOut}` : words;
}
