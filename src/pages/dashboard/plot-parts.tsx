import type { ScaleLinear } from 'd3-scale';
import type { Texts } from '../texts/texts.js';
import type { Child } from 'hono/jsx';
import { PLOT_WIDTH } from './plot-frame.js';

/** Horizontal grid lines with their values, for a plot with a vertical value axis. */
export function ValueAxis(props: {
  readonly t: Texts;
  readonly scale: ScaleLinear<number, number>;
  readonly left: number;
  readonly right: number;
}) {
  const { t, scale, left, right } = props;
  return (
    <g>
      {scale
        .ticks(5)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick}>
            <line class="grid" x1={left} x2={right} y1={scale(tick)} y2={scale(tick)} />
            <text x={left - 8} y={scale(tick)} text-anchor="end" dominant-baseline="middle">
              {t.number(tick)}
            </text>
          </g>
        ))}
    </g>
  );
}

/** The width of a letter in a narrow window, in the units of a plot. */
const LETTER = 10.5;
/** The height of a line of text. */
const LINE = 16;

/**
 * A mark of a drawing that says what it stands for when it is pointed at or reached with the keyboard, and leads to the
 * list of what it counts.
 */
export function Mark(props: {
  readonly words: string;
  /** Where the words are centred, and the upper end of the mark, above which they stand if there is room. */
  readonly x: number;
  readonly y: number;
  /** The width of the plot; that of a card by default. */
  readonly width?: number;
  readonly href?: string | undefined;
  readonly children: Child;
}) {
  const { words, x, y, width = PLOT_WIDTH, href, children } = props;
  const half = Math.min(width / 2, (words.length * LETTER) / 2);
  const tip = (
    <text
      class="tip"
      x={Math.min(Math.max(x, half), width - half)}
      y={y > LINE + 4 ? y - 5 : y + LINE}
      text-anchor="middle"
      aria-hidden="true"
    >
      {words}
    </text>
  );
  return href === undefined ? (
    <g class="mark" tabindex={0} role="img" aria-label={words}>
      {children}
      {tip}
    </g>
  ) : (
    <a class="mark" href={href} aria-label={words}>
      {children}
      {tip}
    </a>
  );
}

/** Returns the text, shortened if it would reach into the plot. Never splits a character such as an emoji. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}
