import type { Child } from 'hono/jsx';
import { Section } from '../parts.js';
import { Table } from '../table.js';
import type { Texts } from '../texts/texts.js';

/** A plot for a page: its drawing, its description, and the figures behind it. */
export interface Plot {
  /** The name of the plot in URLs, such as `recruitment`. */
  readonly name: string;
  readonly title: string;
  /** A sentence that describes the plot. Screen readers read it instead of the drawing. */
  readonly words: string;
  readonly drawing: Child;
  /** Whether there is nothing to draw. The description explains why. */
  readonly isEmpty?: boolean;
  readonly width: number;
  readonly height: number;
  readonly legend?: readonly LegendEntry[];
  readonly columns: readonly string[];
  /** The rows of the table. A figure is null if it is omitted. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** The links of the cells, by row and column. */
  readonly hrefs?: readonly (readonly (string | undefined)[])[];
  /** A description of the link targets in the table. */
  readonly note?: string;
}

/** The width of a plot that fills its card. A wider plot scrolls within the card. */
export const PLOT_WIDTH = 480;

/** The maximum number of rows of a table, so that it does not outweigh the page. The CSV file has all rows. */
export const MOST_ROWS = 200;

export interface LegendEntry {
  /** The class that gives its colour, such as `complete`. */
  readonly className: string;
  readonly label: string;
}

/** The drawing of a plot. Its colours come from the style sheet, light or dark. */
export function PlotDrawing({ plot }: { readonly plot: Plot }) {
  const { name, title, words, drawing, width, height } = plot;
  return (
    <svg
      class={width > PLOT_WIDTH ? 'plot natural' : 'plot'}
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="group"
      aria-labelledby={`${name}-title ${name}-words`}
    >
      <title id={`${name}-title`}>{title}</title>
      <desc id={`${name}-words`}>{words}</desc>
      {drawing}
    </svg>
  );
}

/** A plot with its legend, its table and its files. */
export function PlotCard({
  t,
  plot,
  query = '',
  isWide = false,
  isPrinted = false,
  lists,
  children,
}: PlotCardProps) {
  return (
    <Section id={plot.name} title={plot.title} className={isWide ? 'card beside' : 'card'}>
      {children}
      <p class="quiet small">{plot.words}</p>
      {plot.isEmpty !== true && (
        <Figure t={t} plot={plot} table={isPrinted ? undefined : isWide ? 'open' : 'closed'} />
      )}
      {lists}
      {plot.isEmpty !== true && !isPrinted && <Files t={t} plot={plot} query={query} />}
    </Section>
  );
}

/** The drawing with its legend and its table. */
function Figure({
  t,
  plot,
  table,
}: {
  readonly t: Texts;
  readonly plot: Plot;
  readonly table: 'open' | 'closed' | undefined;
}) {
  return (
    <>
      <figure class="scroll" tabindex={0} aria-label={plot.title}>
        <PlotDrawing plot={plot} />
      </figure>
      {plot.legend !== undefined && (
        <ul class="legend">
          {plot.legend.map(({ className, label }) => (
            <li key={label}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect class={className} width="10" height="10" rx="2" />
              </svg>
              {label}
            </li>
          ))}
        </ul>
      )}
      {table !== undefined && (
        <details open={table === 'open'}>
          <summary>{t.plot.asTable}</summary>
          <PlotTable t={t} plot={plot} />
        </details>
      )}
    </>
  );
}

function Files({ t, plot: { name, title }, query }: Pick<PlotCardProps, 't' | 'plot' | 'query'>) {
  return (
    <p class="tools">
      <span class="quiet">{t.plot.saveAs}</span>
      {(['svg', 'csv'] as const).map((format) => (
        <a
          key={format}
          href={`/dashboard/plots/${name}.${format}${query}`}
          aria-label={t.plot.saveAsFormat(title, format.toUpperCase())}
          download
        >
          {format.toUpperCase()}
        </a>
      ))}
      <span data-png={`/dashboard/plots/${name}.svg${query}`} />
    </p>
  );
}

/** A plot and the other content of its card. */
export interface PlotCardProps {
  readonly t: Texts;
  readonly plot: Plot;
  /** The query that selects the field of a plot, such as `?field=age`. */
  readonly query?: string;
  /** Whether the card is as wide as the page, with the table open beside the plot. */
  readonly isWide?: boolean;
  /** Whether the card is for paper: without its table and its files. */
  readonly isPrinted?: boolean;
  /** Links to the rows behind the figures. */
  readonly lists?: Child;
  /** Controls that select which figures are shown. */
  readonly children?: Child;
}

function PlotTable({ t, plot }: Pick<PlotCardProps, 't' | 'plot'>) {
  const { title, columns, rows, hrefs, note } = plot;
  return (
    <Table
      label={t.plot.labelOfTable(title)}
      caption={
        <>
          {rows.length > MOST_ROWS ? t.plot.firstRows(title, MOST_ROWS, rows.length) : title}
          {note !== undefined && (
            <>
              <br />
              {note}
            </>
          )}
        </>
      }
      columns={columns.map((name, index) => (index === 0 ? name : { name, kind: 'number' }))}
      rows={rows
        .slice(0, MOST_ROWS)
        .map((row, place) =>
          row.map((cell, index) => (
            <Linked href={hrefs?.[place]?.[index]}>{index === 0 ? cell : shown(t, cell)}</Linked>
          )),
        )}
    />
  );
}

/** Returns the cell of a table as it is shown. */
export function shown(t: Texts, cell: string | number | null): string {
  if (cell === null) return t.study.leftOut;
  return typeof cell === 'number' ? t.number(cell) : cell;
}

function Linked({ href, children }: { readonly href: string | undefined; readonly children: Child }) {
  return href === undefined ? <>{children}</> : <a href={href}>{children}</a>;
}
