import { readFileSync } from 'node:fs';
import { PlotDrawing, type Plot } from './plot-frame.js';

/** The light tokens and the rules of plots, from the one style sheet: a file has to bring its own colours. */
const STYLE = styleOfPlots(readFileSync(new URL('../assets/pages.css', import.meta.url), 'utf8'));

/** A plot as an SVG file, in the colours of the light theme on white. */
export function plotAsSvg(plot: Plot): string {
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- an element of Hono is its own markup
  const drawing = String(<PlotDrawing plot={plot} />);
  const start = drawing.indexOf('>') + 1;
  const ground = `<style>${STYLE}</style><rect width="${plot.width}" height="${plot.height}" fill="#fff"/>`;
  return drawing.slice(0, start) + ground + drawing.slice(start);
}

/** The figures behind a plot; blank where one is left out. Safe to open in a spreadsheet: labels come from the project. */
export function plotAsCsv({ columns, rows }: Plot): string {
  return [columns, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n') + '\r\n';
}

function cellOf(cell: string | number | null): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function styleOfPlots(styleSheet: string): string {
  const tokens = /:root \{([^}]*)\}/.exec(styleSheet)?.[1]?.replace('color-scheme: light dark;', '') ?? '';
  const rules = /\/\* Plots \*\/([\s\S]*?)\/\* End of plots \*\//.exec(styleSheet)?.[1] ?? '';
  return `svg{${tokens}font-family:system-ui,sans-serif}${rules}`
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ');
}
