// Writes what was measured last into the lines that docs/figures.md has: `npm run figures` after a bench.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Row } from '../tests/bench/row.js';

/** A line of the page. Its name identifies it: a new measurement replaces the old one. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly aim: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

const PAGE = 'docs/figures.md';

function figureOf(line: string): Figure | undefined {
  const [, what = '', measured = '', aim = '', date = ''] = line.split('|').map((cell) => cell.trim());
  return /^\d{4}-/.test(date) ? { what, measured, aim, date } : undefined;
}

/** Returns the figures of the page, in its order. */
export function readFigures(page: string): Figure[] {
  return page.split('\n').flatMap((line) => figureOf(line) ?? []);
}

/** Returns the page with what was measured in its lines. What the page does not have is left out: it says what it tells. */
export function writeFigures(page: string, measured: readonly Figure[]): string {
  const latest = new Map(measured.map((figure) => [figure.what, figure]));
  return page
    .split('\n')
    .map((line) => {
      const figure = latest.get(figureOf(line)?.what ?? '');
      return figure === undefined
        ? line
        : `| ${figure.what} | ${figure.measured} | ${figure.aim} | ${figure.date} |`;
    })
    .join('\n');
}

function benchFigures(): Figure[] {
  const result = parse<{ at: string; rows: Row[] }>('bench-results/bench.json');
  return (result?.rows ?? []).map(({ what, figures, ratio, target }) => ({
    what,
    measured: ratio === undefined ? figures : `${figures}: ${ratio.toFixed(2)} ×`,
    aim: target ?? '',
    date: (result?.at ?? '').slice(0, 10),
  }));
}

function parse<Value>(path: string): Value | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Value) : undefined;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(PAGE, writeFigures(readFileSync(PAGE, 'utf8'), benchFigures()));
}
