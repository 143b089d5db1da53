import { scaleLinear } from 'd3-scale';
import { cut, Mark } from './plot-parts.js';
import { PLOT_WIDTH as WIDTH, type Plot } from './plot-frame.js';

/** One bar. A bar without a value stands for an omitted figure. */
export interface Bar {
  readonly label: string;
  readonly value: number | null;
  /** The text after the bar. */
  readonly text: string;
  /** The list of what it counts. */
  readonly href?: string | undefined;
}

/** The space for a label. */
export const LABEL = 208;
/** How many letters fit there: those of a narrow window are larger. */
export const MOST_LETTERS = 20;
const MOST_IN_WIDE_WINDOWS = 24;
const ROW = 26;
/** The width of a bar whose length is left out. */
const LEFT_OUT = 48;

/** Draws horizontal bars below each other, with labels. */
export function barDrawing(
  bars: readonly Bar[],
  greatest?: number,
): Pick<Plot, 'drawing' | 'width' | 'height'> {
  const most = greatest ?? Math.max(1, ...bars.map(({ value }) => value ?? 0));
  const x = scaleLinear([0, most], [LABEL, WIDTH - 74]);
  const drawing = bars.map(({ label, value, text, href }, index) => {
    const top = index * ROW + 6;
    return (
      <g key={index}>
        <RowLabel y={top + 9} of={(letters) => cut(label, letters)} />
        {value === null ? (
          <LeftOut x={LABEL} y={top} width={LEFT_OUT} height={ROW - 10} />
        ) : (
          value > 0 && (
            <Mark words={`${label}: ${text}`} x={(LABEL + x(value)) / 2} y={top} href={href}>
              <rect class="plot-1" x={LABEL} y={top} width={x(value) - LABEL} height={ROW - 10} rx="2" />
            </Mark>
          )
        )}
        <text x={(value === null ? LABEL + LEFT_OUT : x(value)) + 8} y={top + 9} dominant-baseline="middle">
          {text}
        </text>
      </g>
    );
  });
  return { drawing, width: WIDTH, height: bars.length * ROW + 8 };
}

/** The label before a bar. The style sheet chooses how much of it: as much as fits, also on paper. */
export function RowLabel({ y, of }: { readonly y: number; readonly of: (mostLetters: number) => string }) {
  const place = { x: LABEL - 10, y, 'text-anchor': 'end', 'dominant-baseline': 'middle' } as const;
  const [short, long] = [of(MOST_LETTERS), of(MOST_IN_WIDE_WINDOWS)];
  if (short === long) return <text {...place}>{short}</text>;
  return (
    <>
      <text {...place} class="long">
        {long}
      </text>
      <text {...place} class="short">
        {short}
      </text>
    </>
  );
}

/** A hatched bar: a count that is left out, which a gap would show as none. */
export function LeftOut(box: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}) {
  const { x, y, width, height } = box;
  if (width <= 0) return null;
  const lines = Array.from({ length: Math.max(0, Math.floor((width - height) / HATCH) + 1) }, (_, index) => {
    return `M${x + index * HATCH} ${y + height}l${height} ${-height}`;
  });
  return <path class="left-out" d={`M${x} ${y}h${width}v${height}h${-width}z${lines.join('')}`} />;
}

const HATCH = 6;
