// Writes what was measured last into docs/figures.md: `npm run figures` after a bench, mutation tests or coverage.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Row } from '../tests/bench/row.js';

/** A line of the table. Its name identifies it: a new measurement replaces the old one. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly aim: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

const PAGE = 'docs/figures.md';
const START = '<!-- figures -->';
const END = '<!-- /figures -->';

/** Returns the figures of the page, in its order. */
export function readFigures(page: string): Figure[] {
  const table = page.slice(page.indexOf(START) + START.length, page.indexOf(END));
  return table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const [what = '', measured = '', aim = '', date = ''] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
      return { what, measured, aim, date };
    });
}

/** Returns the known figures, each replaced by its new measurement; what is new stands at the end. */
export function mergeFigures(known: readonly Figure[], measured: readonly Figure[]): Figure[] {
  const latest = new Map(measured.map((figure) => [figure.what, figure]));
  const merged = known.map((figure) => latest.get(figure.what) ?? figure);
  const names = new Set(known.map(({ what }) => what));
  return [...merged, ...measured.filter(({ what }) => !names.has(what))];
}

/** Returns the page with these figures in its table. */
export function writeFigures(page: string, figures: readonly Figure[]): string {
  const lines = [
    '| What | Measured | Aim | Date |',
    '| --- | --- | --- | --- |',
    ...figures.map(({ what, measured, aim, date }) => `| ${what} | ${measured} | ${aim} | ${date} |`),
  ];
  const before = page.slice(0, page.indexOf(START) + START.length);
  return `${before}\n\n${lines.join('\n')}\n\n${page.slice(page.indexOf(END))}`;
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

/** How many of the mutants that compile a test finds, for each part that was measured. */
export function mutationFigures(folder = 'build/mutation'): Figure[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const report = parse<{ files: Record<string, { mutants: { status: string }[] }> }>(path);
      const statuses = Object.values(report?.files ?? {}).flatMap(({ mutants }) =>
        mutants.map(({ status }) => status),
      );
      const count = (...wanted: string[]): number =>
        statuses.filter((status) => wanted.includes(status)).length;
      const found = count('Killed', 'Timeout');
      const valid = found + count('Survived', 'NoCoverage');
      return {
        what: `mutants found by a test: \`${basename(name, '.json')}\``,
        measured: `${Math.floor((100 * found) / valid)} % of ${valid}`,
        aim: '85 %',
        date: dayOf(path),
      };
    });
}

function coverageFigures(): Figure[] {
  const path = 'coverage/coverage-summary.json';
  const summary = parse<{ total: { lines: { pct: number } } }>(path);
  if (summary === undefined) return [];
  const measured = `${summary.total.lines.pct.toFixed(1)} %`;
  return [{ what: 'lines covered by `npm test`', measured, aim: '90 %', date: dayOf(path) }];
}

function parse<Value>(path: string): Value | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Value) : undefined;
}

/** The day on which a result was written: `YYYY-MM-DD`. */
function dayOf(path: string): string {
  return statSync(path).mtime.toISOString().slice(0, 10);
}

if (process.argv[1] === import.meta.filename) {
  const page = readFileSync(PAGE, 'utf8');
  const measured = [...benchFigures(), ...mutationFigures(), ...coverageFigures()];
  writeFileSync(PAGE, writeFigures(page, mergeFigures(readFigures(page), measured)));
}
