import type { Child } from 'hono/jsx';

/** A card with its approximate height, in the units of a plot. */
export interface SizedCard {
  readonly height: number;
  readonly card: Child;
}

/** Lays out cards in two columns, each card in the shorter one so far. In a narrow window the columns are stacked. */
export function Columns({ cards }: { readonly cards: readonly SizedCard[] }) {
  const columns: [Child[], Child[]] = [[], []];
  const heights: [number, number] = [0, 0];
  for (const { height, card } of cards) {
    const index = heights[0] <= heights[1] ? 0 : 1;
    columns[index].push(card);
    heights[index] += height;
  }
  return (
    <div class="glance">
      {columns.map((column, index) => column.length > 0 && <div key={index}>{column}</div>)}
    </div>
  );
}
