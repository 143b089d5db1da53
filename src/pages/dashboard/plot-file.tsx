import { spreadsheetCell } from '../../records/formats/csv-formula-guard.js';
import { readStyles } from '../style-sheet.js';
import { PlotDrawing, type Plot } from './plot-frame.js';

/** The light theme and the rules of plots, because a file needs its own colours. */
const STYLE = styleOfPlots(readStyles('tokens'), readStyles('plots'));

/** Control characters, which a label may contain and XML may not. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Returns a plot as an SVG file, in the light theme on white. */
export function plotAsSvg(plot: Plot): string {
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- an element of Hono converts to its own markup
  const drawing = String(<PlotDrawing plot={plot} />).replace(NOT_XML, '');
  const start = drawing.indexOf('>') + 1;
  const ground = `<style>${STYLE}</style><rect width="${plot.width}" height="${plot.height}" fill="#fff"/>`;
  return drawing.slice(0, start) + ground + drawing.slice(start);
}

/**
 * Returns the figures of a plot as CSV; omitted figures are blank. Labels come from the project, so the file is made
 * safe for spreadsheets.
 */
export function plotAsCsv({ columns, rows }: Plot): string {
  return [columns, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n') + '\r\n';
}

function cellOf(cell: string | number | null): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? String(cell) : spreadsheetCell(cell);
}

function styleOfPlots(tokens: string, rules: string): string {
  const light = /:root \{([^}]*)\}/.exec(tokens)?.[1]?.replace('color-scheme: light dark;', '') ?? '';
  return `svg{${light}font-family:system-ui,sans-serif}${rules}`
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ');
}
