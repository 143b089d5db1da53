import {
  completeOf,
  formsOf,
  hasSeveralArms,
  armOf,
  FORM_STATUSES,
  isShareKnown,
} from '../../services/summary/form-counts.js';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { NOT_COMPLETE } from '../../services/summary/listed-forms.js';
import { formsList } from './list-address.js';
import { MOST_ROWS, PLOT_WIDTH as WIDTH, type Plot } from './plot-frame.js';
import type { Texts } from '../texts/texts.js';
import { scaleLinear } from 'd3-scale';
import { cut, Mark } from './plot-parts.js';
import { LABEL, LeftOut, MOST_LETTERS, RowLabel } from './bar-plot.js';

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

/** The statuses of a form, each with the class that gives its colour. */
export const STATUSES = FORM_STATUSES.map((key) => ({
  key,
  className: key === 'notBegun' ? 'not-begun' : key,
}));

/**
 * Returns the label of an event, such as `Week 4`, or `Week 4, arm 2` in a study with several arms, where events may
 * share a label; empty without events. A label that is too long is shortened, but always includes the arm.
 *
 * @param hasArms whether the study has several arms
 */
export function eventOf(
  t: Texts,
  { event, eventLabel }: CompletenessCell,
  hasArms: boolean,
  mostLetters = Infinity,
): string {
  const arm = hasArms && eventLabel !== '' ? t.study.inArm(armOf(event)) : '';
  return cut(eventLabel, mostLetters - arm.length) + arm;
}

const ROW = 26;
/** The space for `100 %` after a bar, large enough for the larger letters of a narrow window. */
const PERCENT = 58;

/** Draws one stacked bar per form. With events, each instrument has a heading and one bar per event below it. */
export function formBars(
  t: Texts,
  cells: readonly CompletenessCell[],
  lists?: StudyFilter,
): Pick<Plot, 'drawing' | 'width' | 'height'> {
  const x = scaleLinear([0, 1], [LABEL, WIDTH - PERCENT - 7]);
  const hasArms = hasSeveralArms(cells);
  let top = 2;
  const drawing = cells.map((cell, index) => {
    const hasEvent = cell.eventLabel !== '';
    const isFirst = cells[index - 1]?.instrument !== cell.instrument;
    const heading = hasEvent && isFirst ? top + 9 : undefined;
    if (heading !== undefined) top += ROW - 2;
    const bar = top;
    top += ROW;
    return (
      <g key={index}>
        {heading !== undefined && (
          <text class="heading" x="0" y={heading} dominant-baseline="middle">
            {cut(cell.instrumentLabel, 2 * MOST_LETTERS)}
          </text>
        )}
        <RowLabel
          y={bar + 9}
          of={(letters) =>
            hasEvent ? eventOf(t, cell, hasArms, letters) : cut(cell.instrumentLabel, letters)
          }
        />
        <Statuses t={t} cell={cell} x={x} top={bar} lists={lists} />
        <text x={WIDTH - PERCENT} y={bar + 9} dominant-baseline="middle">
          {percentOf(t, cell)}
        </text>
      </g>
    );
  });
  return { drawing, width: WIDTH, height: top };
}

/** Empty if it is not known. */
function percentOf(t: Texts, cell: CompletenessCell): string {
  const { complete, forms } = completeOf([cell]);
  return forms === 0 ? '' : t.percent(Math.round((complete / forms) * 100));
}

function Statuses(props: {
  readonly t: Texts;
  readonly cell: CompletenessCell;
  readonly x: (share: number) => number;
  readonly top: number;
  readonly lists: StudyFilter | undefined;
}) {
  const { t, cell, x, top, lists } = props;
  const forms = formsOf(cell);
  if (forms === 0) return null;
  const known = STATUSES.filter(({ key }) => key !== 'notBegun' || cell.isExpected);
  let from = 0;
  const bars = forms !== undefined && (
    <>
      {known.map(({ key, className }) => {
        const share = (cell[key] ?? 0) / forms;
        const left = x(from);
        from += share;
        return (
          share > 0 && (
            <Mark
              words={`${t.study.statuses[key]}: ${t.number(cell[key] ?? 0)}`}
              x={(left + x(from)) / 2}
              y={top}
              href={lists && formsList(cell, [key], lists)}
            >
              <rect class={className} x={left} y={top} width={x(from) - left} height={ROW - 9} />
            </Mark>
          )
        );
      })}
    </>
  );
  const isLeftOut = forms === undefined || known.some(({ key }) => cell[key] === null);
  return (
    <>
      {bars}
      {isLeftOut && <LeftOut x={x(from)} y={top} width={x(1) - x(from)} height={ROW - 9} />}
    </>
  );
}

const TILE = 26;

/** Draws one tile per form, by instrument and event. The darker a tile, the more of its forms are complete. */
export function formHeatMap(
  t: Texts,
  cells: readonly CompletenessCell[],
): Pick<Plot, 'drawing' | 'width' | 'height'> {
  const hasArms = hasSeveralArms(cells);
  const events = [...new Map(cells.map((cell) => [cell.event, eventOf(t, cell, hasArms, 16)]))];
  const instruments = [
    ...new Map(cells.map(({ instrument, instrumentLabel }) => [instrument, instrumentLabel])),
  ];
  const columns = new Map(events.map(([event], index) => [event, index]));
  const rows = new Map(instruments.map(([name], index) => [name, index]));
  const top = events.length > 1 ? 96 : 8;
  const width = Math.max(WIDTH, LABEL + events.length * TILE + 60);
  const drawing = (
    <>
      {events.length > 1 &&
        events.map(([event, label], index) => {
          const x = LABEL + index * TILE + TILE / 2;
          return (
            <text key={event} transform={`translate(${x},${top - 8}) rotate(-45)`}>
              {label}
            </text>
          );
        })}
      {instruments.map(([name, label], row) => (
        <RowLabel key={name} y={top + row * TILE + TILE / 2} of={(letters) => cut(label, letters)} />
      ))}
      {cells.map((cell, index) => {
        const column = columns.get(cell.event) ?? 0;
        const row = rows.get(cell.instrument) ?? 0;
        const [x, y] = [LABEL + column * TILE + 1, top + row * TILE + 1];
        if (!isShareKnown(cell))
          return <LeftOut key={index} x={x} y={y} width={TILE - 2} height={TILE - 2} />;
        const { complete, forms } = completeOf([cell]);
        const level = forms === 0 ? 0 : Math.round((complete / forms) * 4);
        return (
          <rect key={index} class={`heat-${level}`} x={x} y={y} width={TILE - 2} height={TILE - 2} rx="3">
            <title>{t.completeness.tile(complete, forms)}</title>
          </rect>
        );
      })}
    </>
  );
  return { drawing, width, height: top + instruments.length * TILE + 8 };
}
