import { completeOf, hasSeveralArms, isShareKnown } from '../../services/summary/form-counts.js';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { cut } from './cut.js';
import { LABEL, LeftOut, RowLabel } from './bar-plot.js';
import { eventOf } from './form-statuses.js';
import { PLOT_WIDTH as WIDTH, type Plot } from './plot-frame.js';
import type { Texts } from '../texts/en.js';

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
