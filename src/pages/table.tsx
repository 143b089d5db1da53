import type { Child } from 'hono/jsx';

/** A table that scrolls within its frame if it is wider, also by keyboard. */
export interface TableProps {
  /** What the table is, for screen readers. */
  readonly label: string;
  readonly caption?: Child;
  /** A text becomes the head of a column; anything else has to be one. */
  readonly heads: readonly Child[];
  /** The number of rows of which the table shows a part. */
  readonly total?: number;
  /** The rows. */
  readonly children: Child;
}

export function Table({ label, caption, heads, total, children }: TableProps) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table data-total={total}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {heads.map((head) =>
              typeof head === 'string' ? (
                <th key={head} scope="col">
                  {head}
                </th>
              ) : (
                head
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The head of a column of numbers. */
export function NumberHead({ children }: { readonly children: Child }) {
  return (
    <th scope="col" class="number">
      {children}
    </th>
  );
}
