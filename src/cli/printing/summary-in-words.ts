import stringWidth from 'fast-string-width';
import { completeOf, isShareKnown } from '../../services/summary/form-counts.js';
import type { CompletenessCell, StudySummary } from '../../services/summary/study-summary.js';
import { printable } from './table.js';

const BAR = 30;
const LABEL = 32;
const MOST_MISSING = 10;

/** Formats the summary of a study as text, with a bar for each figure. */
export function summaryInWords(summary: StudySummary): string {
  const { title, records, recruitment, sites, completeness, missing, missingPercent, madeAt } = summary;
  const most = Math.max(1, ...recruitment.months.map((month) => month.records ?? 0));
  return [
    printable(title),
    `  ${records ?? 'few'} records${recruitment.target === null ? '' : ` of ${recruitment.target} hoped for`}, ${missingPercent ?? 0} % of values missing`,
    ...section(
      `Recruitment by ${recruitment.dateField ?? 'no date field'}`,
      recruitment.months.map(({ start, records: count, cumulated, hoped }) =>
        line(
          start.slice(0, 7),
          (count ?? 0) / most,
          `${count ?? 0}, ${cumulated ?? 0} in all${hoped === null ? '' : ` of ${hoped} hoped for`}`,
        ),
      ),
    ),
    ...section(
      'Sites',
      sites.map((site) =>
        line(site.label, (site.records ?? 0) / Math.max(1, records ?? 0), String(site.records ?? 0)),
      ),
    ),
    ...section('Complete forms', completeness.map(formLine)),
    ...section(
      'Missing data, highest first',
      missing
        .slice(0, MOST_MISSING)
        .map(({ field, percent, missing: count, shown }) =>
          line(field, (percent ?? 0) / 100, `${percent ?? 0} % (${count ?? 0} of ${shown ?? 0})`),
        ),
    ),
    `Figures of ${madeAt}`,
    '',
  ].join('\n');
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines];
}

function formLine(cell: CompletenessCell): string {
  const { complete, forms } = completeOf([cell]);
  const name = cell.eventLabel === '' ? cell.instrumentLabel : `${cell.instrumentLabel}, ${cell.eventLabel}`;
  return line(
    name,
    forms === 0 ? 0 : complete / forms,
    isShareKnown(cell) ? `${complete} of ${forms}` : 'few',
  );
}

function line(label: string, share: number, figures: string): string {
  const filled = Math.round(Math.min(1, share) * BAR);
  const name = fitted(printable(label));
  return `  ${name} ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${figures}`;
}

/** Cuts or pads a name to the width of its column. */
function fitted(text: string): string {
  let name = text;
  while (stringWidth(name) > LABEL) name = `${[...name].slice(0, -2).join('')}…`;
  return name + ' '.repeat(LABEL - stringWidth(name));
}
