import { completeOf, formsOf } from '../../services/summary/form-counts.js';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { formBars } from './form-bars.js';
import { formHeatMap } from './form-heat-map.js';
import { eventOf, hasSeveralArms, STATUSES } from './form-statuses.js';
import { numberInWords } from './in-words.js';
import { formsList, NOT_COMPLETE } from './list-address.js';
import { MOST_ROWS, type Plot } from './plot-frame.js';

/** The maximum number of bars. Above it, a heat map is easier to read. */
const MOST_BARS = 24;

/**
 * Plots form statuses by instrument and event: as stacked bars, or for large designs as a heat map of complete forms.
 *
 * @param lists the filter of the lists to which every count leads, for readers who may see records
 */
export function completenessPlot(cells: readonly CompletenessCell[], lists?: StudyFilter): Plot | undefined {
  if (cells.length === 0) return undefined;
  const hasArms = hasSeveralArms(cells);
  const isLarge = cells.length > MOST_BARS;
  return {
    name: 'completeness',
    title: 'Completeness',
    words: wordsOf(cells),
    ...(isLarge ? formHeatMap(cells) : formBars(cells, lists)),
    isEmpty: cells.every((cell) => formsOf(cell) === 0),
    legend: isLarge
      ? [
          { className: 'heat-0', label: 'none complete' },
          { className: 'heat-2', label: 'half' },
          { className: 'heat-4', label: 'all complete' },
        ]
      : STATUSES,
    columns: ['Form', 'Records', ...STATUSES.map(({ label }) => label)],
    rows: cells.map((cell) => [
      nameOf(cell, hasArms),
      cell.records,
      ...STATUSES.map(({ key }) => (key === 'notBegun' && !cell.isExpected ? 'not expected' : cell[key])),
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
      note: 'A form leads to the list of those that are not complete, a count to the list of what it counts.',
    }),
  };
}

function nameOf(cell: CompletenessCell, hasArms: boolean): string {
  const event = eventOf(cell, hasArms);
  return `${cell.instrumentLabel}${event === '' ? '' : `, ${event}`}${cell.isRepeating ? ' (repeats)' : ''}`;
}

function wordsOf(cells: readonly CompletenessCell[]): string {
  const { complete, forms } = completeOf(cells);
  if (forms === 0) return 'No form has been started, or too few to show.';
  const hasGaps = cells.some((cell) => STATUSES.some(({ key }) => cell[key] === null));
  return `${numberInWords(complete)} of ${numberInWords(forms)} expected or begun forms are complete (${Math.round((complete / forms) * 100)} %).${hasGaps ? ' Small counts are left out.' : ''}`;
}
