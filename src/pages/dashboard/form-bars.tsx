import { scaleLinear } from 'd3-scale';
import { completeOf, formsOf, hasSeveralArms } from '../../services/summary/form-counts.js';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { cut } from './cut.js';
import { LABEL, LeftOut, MOST_LETTERS, RowLabel } from './bar-plot.js';
import { eventOf, STATUSES } from './form-statuses.js';
import { formsList } from './list-address.js';
import { Mark } from './mark.js';
import { PLOT_WIDTH as WIDTH, type Plot } from './plot-frame.js';
import type { Texts } from '../texts/en.js';

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
