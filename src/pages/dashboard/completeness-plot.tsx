import { completeOf, formsOf } from '../../services/summary/form-counts.js';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { formBars } from './form-bars.js';
import { formHeatMap } from './form-heat-map.js';
import { eventOf, hasSeveralArms, STATUSES } from './form-statuses.js';
import { numberInWords } from './in-words.js';
import { MOST_ROWS, type Plot } from './plot-frame.js';

/** The maximum number of bars. Above it, a heat map is easier to read. */
const MOST_BARS = 24;

/**
 * Plots form statuses by instrument and event: as stacked bars, or for large designs as a heat map of complete forms.
 * With `recordIdField`, the table links to the records, for readers who may see them.
 */
export function completenessPlot(
  cells: readonly CompletenessCell[],
  { recordIdField }: { readonly recordIdField?: string | undefined } = {},
): Plot | undefined {
  if (cells.length === 0) return undefined;
  const hasArms = hasSeveralArms(cells);
  const isLarge = cells.length > MOST_BARS;
  return {
    name: 'completeness',
    title: 'Completeness',
    words: wordsOf(cells),
    ...(isLarge ? formHeatMap(cells) : formBars(cells)),
    isEmpty: cells.every((cell) => formsOf(cell) === 0),
    legend: isLarge
      ? [
          { className: 'heat-0', label: 'none complete' },
          { className: 'heat-2', label: 'half' },
          { className: 'heat-4', label: 'all complete' },
        ]
      : STATUSES,
    columns: ['Form', 'Records', ...STATUSES.map(({ label }) => label)],
    rows: cells.map((cell) => [nameOf(cell, hasArms), cell.records, ...STATUSES.map(({ key }) => cell[key])]),
    ...(recordIdField !== undefined && {
      hrefs: cells
        .slice(0, MOST_ROWS)
        .map((cell) => [
          recordsNotComplete(cell, recordIdField),
          undefined,
          cell.complete ? recordsWith(['2'], cell, recordIdField) : undefined,
          cell.unverified ? recordsWith(['1'], cell, recordIdField) : undefined,
        ]),
      note: 'A form leads to the rows in which it is not complete, a count to the rows that it counts (CSV).',
    }),
  };
}

/** A form, at one event or at all events. */
type FormPlace = Pick<CompletenessCell, 'instrument'> & Partial<Pick<CompletenessCell, 'event'>>;

/** Returns the URL of the rows with an incomplete form, as CSV. Forms that have not been started are included. */
export function recordsNotComplete(place: FormPlace, recordIdField: string): string {
  return recordsWith(['0', '1'], place, recordIdField);
}

function recordsWith(
  statuses: readonly string[],
  { instrument, event = '' }: FormPlace,
  recordIdField: string,
): string {
  const query = new URLSearchParams({
    fields: recordIdField, // so that each row names its record
    forms: instrument,
    ...(event !== '' && { events: event }),
    // Not `<> "2"`, which is also true for every row without the repeating form.
    filterLogic: statuses.map((status) => `[${instrument}_complete] = "${status}"`).join(' or '),
    format: 'csv',
  });
  return `/api/v1/records?${query.toString()}`;
}

function nameOf(cell: CompletenessCell, hasArms: boolean): string {
  const event = eventOf(cell, hasArms);
  return `${cell.instrumentLabel}${event === '' ? '' : `, ${event}`}${cell.isRepeating ? ' (repeats)' : ''}`;
}

function wordsOf(cells: readonly CompletenessCell[]): string {
  const { complete, forms } = completeOf(cells);
  if (forms === 0) return 'No form has been started, or too few to show.';
  const hasGaps = cells.some((cell) => STATUSES.some(({ key }) => cell[key] === null));
  return `${numberInWords(complete)} of ${numberInWords(forms)} forms are complete (${Math.round((complete / forms) * 100)} %).${hasGaps ? ' Small counts are left out.' : ''}`;
}
