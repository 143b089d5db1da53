import { scaleLinear } from 'd3-scale';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { cut } from './axes.js';
import { PLOT_WIDTH as WIDTH, type Plot } from './plot-frame.js';

const STATUSES = [
  { key: 'complete', label: 'Complete' },
  { key: 'unverified', label: 'Unverified' },
  { key: 'incomplete', label: 'Incomplete' },
  { key: 'notBegun', label: 'Not begun' },
] as const;

const CLASSES = {
  complete: 'complete',
  unverified: 'unverified',
  incomplete: 'incomplete',
  notBegun: 'not-begun',
};
const LABEL = 215;
const ROW = 28;
/** Above this a bar for each would be a wall: a heat map says more. */
const MOST_BARS = 24;
const TILE = 26;

/**
 * Form statuses by instrument and event: stacked bars, or for large designs a heat map of what is complete.
 * With `recordIdField` the table leads to the records, for those who may read them.
 */
export function completenessPlot(
  cells: readonly CompletenessCell[],
  { recordIdField }: { readonly recordIdField?: string | undefined } = {},
): Plot | undefined {
  if (cells.length === 0) return undefined;
  const isLarge = cells.length > MOST_BARS;
  return {
    name: 'completeness',
    title: 'Completeness',
    words: wordsOf(cells),
    ...(isLarge ? heatMap(cells) : bars(cells)),
    legend: isLarge
      ? [
          { className: 'heat-0', label: 'none complete' },
          { className: 'heat-2', label: 'half' },
          { className: 'heat-4', label: 'all complete' },
        ]
      : STATUSES.map(({ key, label }) => ({ className: CLASSES[key], label })),
    columns: ['Form', 'Records', ...STATUSES.map(({ label }) => label)],
    rows: cells.map((cell) => [nameOf(cell), cell.records, ...STATUSES.map(({ key }) => cell[key])]),
    ...(recordIdField !== undefined && {
      hrefs: cells.map((cell) => [
        recordsNotComplete(cell, recordIdField),
        undefined,
        cell.complete ? recordsWith(['2'], cell, recordIdField) : undefined,
        cell.unverified ? recordsWith(['1'], cell, recordIdField) : undefined,
      ]),
      note: 'A form leads to the rows in which it is not complete, a count to the rows that it counts (CSV).',
    }),
  };
}

/** A form, at one event or at all. */
type FormPlace = Pick<CompletenessCell, 'instrument'> & Partial<Pick<CompletenessCell, 'event'>>;

/** @returns the address of the rows in which a form is not complete, as CSV; forms that were not begun are among them */
export function recordsNotComplete(place: FormPlace, recordIdField: string): string {
  return recordsWith(['0', '1'], place, recordIdField);
}

function recordsWith(
  statuses: readonly string[],
  { instrument, event = '' }: FormPlace,
  recordIdField: string,
): string {
  const query = new URLSearchParams({
    fields: recordIdField, // without it, a row does not say whose it is
    forms: instrument,
    ...(event !== '' && { events: event }),
    // Not `<> "2"`: that holds on every row on which a repeating form does not stand.
    filterLogic: statuses.map((status) => `[${instrument}_complete] = "${status}"`).join(' or '),
    format: 'csv',
  });
  return `/api/v1/records?${query.toString()}`;
}

function nameOf({ instrumentLabel, eventLabel, isRepeating }: CompletenessCell): string {
  return `${instrumentLabel}${eventLabel === '' ? '' : `, ${eventLabel}`}${isRepeating ? ' (repeats)' : ''}`;
}

function formsOf(cell: CompletenessCell): number {
  return STATUSES.reduce((sum, { key }) => sum + (cell[key] ?? 0), 0);
}

function wordsOf(cells: readonly CompletenessCell[]): string {
  const forms = cells.reduce((sum, cell) => sum + formsOf(cell), 0);
  const complete = cells.reduce((sum, cell) => sum + (cell.complete ?? 0), 0);
  if (forms === 0) return 'No form has been started, or too few to show.';
  const hasGaps = cells.some((cell) => STATUSES.some(({ key }) => cell[key] === null));
  return `${complete} of ${forms} forms are complete (${Math.round((complete / forms) * 100)} %).${hasGaps ? ' Small counts are left out.' : ''}`;
}

function bars(cells: readonly CompletenessCell[]): Pick<Plot, 'drawing' | 'width' | 'height'> {
  const x = scaleLinear([0, 1], [LABEL, WIDTH - 58]);
  const height = cells.length * ROW + 8;
  const drawing = cells.map((cell, index) => {
    const forms = Math.max(1, formsOf(cell));
    const top = index * ROW + 6;
    let from = 0;
    return (
      <g key={index}>
        <text x={LABEL - 10} y={top + 11} text-anchor="end" dominant-baseline="middle">
          {cut(nameOf(cell), 22)}
        </text>
        {STATUSES.map(({ key }) => {
          const share = (cell[key] ?? 0) / forms;
          const left = x(from);
          from += share;
          return (
            share > 0 && (
              <rect class={CLASSES[key]} x={left} y={top} width={x(from) - left} height={ROW - 10} />
            )
          );
        })}
        <text x={WIDTH - 50} y={top + 11} dominant-baseline="middle">
          {cell.complete === null ? '' : `${Math.round((cell.complete / forms) * 100)} %`}
        </text>
      </g>
    );
  });
  return { drawing, width: WIDTH, height };
}

function heatMap(cells: readonly CompletenessCell[]): Pick<Plot, 'drawing' | 'width' | 'height'> {
  const events = [...new Map(cells.map(({ event, eventLabel }) => [event, eventLabel]))];
  const instruments = [
    ...new Map(cells.map(({ instrument, instrumentLabel }) => [instrument, instrumentLabel])),
  ];
  const top = events.length > 1 ? 96 : 8;
  const width = Math.max(WIDTH, LABEL + events.length * TILE + 60);
  const drawing = (
    <>
      {events.length > 1 &&
        events.map(([event, label], index) => {
          const x = LABEL + index * TILE + TILE / 2;
          return (
            <text key={event} transform={`translate(${x},${top - 8}) rotate(-45)`}>
              {cut(label, 16)}
            </text>
          );
        })}
      {instruments.map(([name, label], row) => (
        <text
          key={name}
          x={LABEL - 10}
          y={top + row * TILE + TILE / 2}
          text-anchor="end"
          dominant-baseline="middle"
        >
          {cut(label, 22)}
        </text>
      ))}
      {cells.map((cell, index) => {
        const column = events.findIndex(([event]) => event === cell.event);
        const row = instruments.findIndex(([name]) => name === cell.instrument);
        const forms = formsOf(cell);
        const level = forms === 0 ? 0 : Math.round(((cell.complete ?? 0) / forms) * 4);
        return (
          <rect
            key={index}
            class={`heat-${level}`}
            x={LABEL + column * TILE + 1}
            y={top + row * TILE + 1}
            width={TILE - 2}
            height={TILE - 2}
            rx="3"
          />
        );
      })}
    </>
  );
  return { drawing, width, height: top + instruments.length * TILE + 8 };
}
