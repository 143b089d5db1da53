import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { MissingField, SiteCount } from '../../services/summary/study-summary.js';
import { barDrawing } from './bar-plot.js';
import { counted, numberInWords } from './in-words.js';
import { listAddress } from './list-address.js';
import type { Plot } from './plot-frame.js';

const MOST_MISSING = 15;

/**
 * Plots the number of records per data access group.
 *
 * @param lists the filter of the lists to which every count leads, for readers who may see records
 */
export function sitesPlot(sites: readonly SiteCount[], lists?: StudyFilter): Plot | undefined {
  if (sites.length === 0) return undefined;
  const listOf = (site: string): string => listAddress('records', { ...lists, event: undefined, site });
  return {
    name: 'sites',
    title: 'Sites',
    words: `Records of ${counted(sites.filter(({ group }) => group !== '').length, 'data access group')}.${mostIn(sites)}`,
    ...barDrawing(
      sites.map(({ group, label, records }) => ({
        href: lists && listOf(group),
        label,
        value: records,
        text: records === null ? 'left out' : numberInWords(records),
      })),
    ),
    columns: ['Group', 'Records'],
    rows: sites.map(({ label, records }) => [label, records]),
    ...(lists !== undefined && {
      hrefs: sites.map(({ group, records }) => [undefined, records ? listOf(group) : undefined]),
      note: 'A count leads to the list of its records.',
    }),
  };
}

/** Plots the fields with the most empty values. */
export function missingPlot(missing: readonly MissingField[]): Plot | undefined {
  const withPercent = missing.filter(({ percent }) => percent !== null);
  const worst = withPercent.slice(0, MOST_MISSING);
  const [first] = worst;
  if (first === undefined) return undefined;
  return {
    name: 'missing',
    title: 'Missing data',
    words: `Empty values of fields that were shown, on forms that were begun. The worst is ${first.label}: ${first.percent ?? 0} %.`,
    ...barDrawing(
      worst.map(({ label, percent }) => ({ label, value: percent, text: `${percent ?? 0} %` })),
      100,
    ),
    columns: ['Field', 'Missing in %', 'Missing', 'Shown'],
    rows: missing.map(({ field, label, percent, missing: count, shown }) => [
      `${label} (${field})`,
      percent,
      count,
      shown,
    ]),
  };
}

/** Returns a sentence about the largest site; empty if several are equally large, or if it cannot be determined. */
function mostIn([first, second]: readonly SiteCount[]): string {
  if (first === undefined || first.records === null) return '';
  if (second !== undefined && (second.records === null || second.records === first.records)) return '';
  return ` Most are in ${first.label}: ${numberInWords(first.records)}.`;
}
