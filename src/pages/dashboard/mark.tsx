import type { Child } from 'hono/jsx';
import { PLOT_WIDTH } from './plot-frame.js';

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
