import type { Child } from 'hono/jsx';

/** A column of a table: its name, or more. */
export interface Column {
  readonly name: string;
  /** What its head shows; its name by default. */
  readonly head?: Child;
  readonly kind?: 'number' | 'words';
  readonly sort?: 'ascending' | 'descending' | undefined;
}

export interface TableProps {
  /** What the table is, for screen readers. */
  readonly label: string;
  readonly caption?: Child;
  /** `false` leaves a column out. */
  readonly columns: readonly (string | Column | false)[];
  /** The cells of each row, one for each column. The first one names the row. */
  readonly rows: readonly (readonly Child[])[];
  /** The length of the list of which the table shows a part. */
  readonly total?: number;
}

/**
 * A table that fits every window: in a narrow one, each row becomes a list of its cells with the names of their columns.
 * The roles are stated, because the style sheet changes what the elements look like.
 */
export function Table({ label, caption, columns, rows, total }: TableProps) {
  const shown = columns.flatMap((column, at) => {
    if (column === false) return [];
    return [{ at, ...(typeof column === 'string' ? { name: column } : column) }];
  });
  return (
    <div class={shown.length > 3 ? 'scroll many' : 'scroll'} tabindex={0} role="region" aria-label={label}>
      <table role="table" data-total={total}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead role="rowgroup">
          <tr role="row">
            {shown.map(({ name, head = name, kind, sort }) => (
              <th key={name} role="columnheader" scope="col" class={kind} aria-sort={sort}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((cells, index) => (
            <tr key={index} role="row">
              {shown.map(({ at, name, kind }, place) =>
                place === 0 ? (
                  <th key={name} role="rowheader" scope="row" class={kind}>
                    {cells[at]}
                  </th>
                ) : (
                  <td key={name} role="cell" class={kind} data-name={name}>
                    {cells[at]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
