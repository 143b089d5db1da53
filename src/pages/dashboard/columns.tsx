import type { Child } from 'hono/jsx';

/** A card with its approximate height, in the units of a plot. */
export interface SizedCard {
  readonly height: number;
  readonly card: Child;
}

/**
 * Lays out cards in two columns of the most equal height, each in the order of the cards. In a narrow window the columns
 * are stacked.
 */
export function Columns({ cards }: { readonly cards: readonly SizedCard[] }) {
  const rights = rightColumn(cards.map(({ height }) => height));
  const columns = [false, true].map((isRight) =>
    cards.filter((_, index) => rights.has(index) === isRight).map(({ card }) => card),
  );
  return (
    <div class="glance">
      {columns.map((column, index) => column.length > 0 && <div key={index}>{column}</div>)}
    </div>
  );
}

/** Returns the positions of the cards on the right. The first card is always on the left; there are few enough to try all. */
function rightColumn(heights: readonly number[]): ReadonlySet<number> {
  const total = heights.reduce((sum, height) => sum + height, 0);
  let [best, least] = [new Set<number>(), Infinity];
  for (let choice = 0; choice < 2 ** (heights.length - 1); choice++) {
    const right = heights.flatMap((_, index) => (index > 0 && (choice >> (index - 1)) & 1 ? [index] : []));
    const height = right.reduce((sum, index) => sum + (heights[index] ?? 0), 0);
    if (Math.abs(total - 2 * height) >= least) continue;
    [best, least] = [new Set(right), Math.abs(total - 2 * height)];
  }
  return best;
}
