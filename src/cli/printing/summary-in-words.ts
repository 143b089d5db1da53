import stringWidth from 'fast-string-width';
import { armOf, completeOf, hasSeveralArms, isShareKnown } from '../../services/summary/form-counts.js';
import type { CompletenessCell, StudySummary } from '../../services/summary/study-summary.js';
import { counted, cutTo, printable } from './table.js';

const [BAR, LABEL] = [30, 32];
/** A shorter bar shows nothing. */
const SHORTEST_BAR = 5;
const MOST_MISSING = 10;

/**
 * Formats the summary of a study as text, with a bar for each figure.
 *
 * @param width of the terminal, which no line exceeds; unlimited by default
 */
export function summaryInWords(summary: StudySummary, width = Infinity): string {
  const { title, records, recruitment, dags, completeness, missing, missingPercent, madeAt } = summary;
  const hasArms = hasSeveralArms(completeness);
  const most = Math.max(1, ...recruitment.months.map((month) => month.records ?? 0));
  const lines = [
    printable(title),
    `  ${records ?? 'few'} records${recruitment.target === null ? '' : ` of ${recruitment.target} planned`}, ${missingPercent ?? 0} % of values missing`,
    ...section(
      `Recruitment by ${recruitment.dateField ?? 'no date field'}`,
      recruitment.months.map(({ start, records: count, cumulated, hoped }) => ({
        label: start.slice(0, 7),
        share: (count ?? 0) / most,
        figures: `${count ?? 0}, ${cumulated ?? 0} in all${hoped === null ? '' : ` of ${hoped} planned`}`,
      })),
      width,
    ),
    ...section(
      'Data access groups',
      dags.map(({ label, records: count, daysToEntry }) => ({
        label,
        share: (count ?? 0) / Math.max(1, records ?? 0),
        figures: `${count ?? 0}${daysToEntry === null ? '' : `, ${counted(daysToEntry, 'day')} to entry`}`,
      })),
      width,
    ),
    ...section(
      'Complete forms',
      completeness.map((cell) => formLine(cell, hasArms)),
      width,
    ),
    ...section(
      'Missing data, highest first',
      missing.slice(0, MOST_MISSING).map(({ field, percent, missing: count, shown }) => ({
        label: field,
        share: (percent ?? 0) / 100,
        figures: `${percent ?? 0} % (${count ?? 0} of ${shown ?? 0})`,
      })),
      width,
    ),
    `Figures of ${madeAt}`,
  ];
  return lines.map((line) => `${cutTo(line, width)}\n`).join('');
}

interface BarLine {
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly figures: string;
}

/** Returns lines of aligned bars. Labels and bars are shortened where the figures leave little room. */
function section(heading: string, lines: readonly BarLine[], width: number): string[] {
  if (lines.length === 0) return [];
  const widestFigures = Math.max(...lines.map(({ figures }) => figures.length));
  // Besides the three parts there are the indentation and the two blanks between them.
  const room = width - widestFigures - 4;
  const label = Math.max(1, Math.min(LABEL, Math.floor(room / 2)));
  const bar = Math.min(BAR, room - label);
  const written = lines.map((line) => {
    if (bar < SHORTEST_BAR) return `  ${fitted(line.label, Math.max(1, room + 1))} ${line.figures}`;
    return `  ${fitted(line.label, label)} ${barOf(line.share, bar)} ${line.figures}`;
  });
  return ['', heading, ...written];
}

/** @param hasArms whether the study has several arms, whose events may share a label */
function formLine(cell: CompletenessCell, hasArms: boolean): BarLine {
  const { complete, forms } = completeOf([cell]);
  const arm = hasArms ? `, arm ${armOf(cell.event)}` : '';
  return {
    label:
      cell.eventLabel === '' ? cell.instrumentLabel : `${cell.instrumentLabel}, ${cell.eventLabel}${arm}`,
    share: forms === 0 ? 0 : complete / forms,
    figures: isShareKnown(cell) ? `${complete} of ${forms}` : 'few',
  };
}

function barOf(share: number, length: number): string {
  const filled = Math.round(Math.min(1, share) * length);
  return '█'.repeat(filled) + '░'.repeat(length - filled);
}

function fitted(label: string, width: number): string {
  const text = cutTo(printable(label), width);
  return text + ' '.repeat(width - stringWidth(text));
}
