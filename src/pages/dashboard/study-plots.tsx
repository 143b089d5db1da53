import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import type { MissingField, SiteCount } from '../../services/summary/study-summary.js';
import { barDrawing } from './bar-plot.js';
import { counted, numberInWords } from './in-words.js';
import { listAddress } from './list-address.js';
import type { Plot } from './plot-frame.js';

const MOST_MISSING = 15;

/** What is known of the sites besides their records, for readers who may see records. */
export interface SiteComparison {
  /** The filter of the lists to which every count leads. */
  readonly lists: StudyFilter;
  /** Undefined while the records are being held against the rules. */
  readonly quality: DatedQualitySummary | undefined;
}

/** Plots the number of records per data access group, and compares the groups in its table. */
export function sitesPlot(sites: readonly SiteCount[], compared?: SiteComparison): Plot | undefined {
  if (sites.length === 0) return undefined;
  const lists = compared?.lists;
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
    ...comparedSites(sites, compared),
  };
}

/** Returns the table of the sites; for readers who may see records, it compares them, with a list behind every count. */
export function comparedSites(
  sites: readonly SiteCount[],
  compared?: SiteComparison,
): Pick<Plot, 'columns' | 'rows' | 'hrefs' | 'note'> {
  if (compared === undefined)
    return { columns: ['Site', 'Records'], rows: sites.map(({ label, records }) => [label, records]) };
  const { lists, quality } = compared;
  const found = quality && ((group: string): number => quality.bySite.get(group) ?? 0);
  const listed = (count: number | null | undefined, address: string) => (count ? address : undefined);
  return {
    columns: ['Site', 'Records', 'Forms', 'Complete', 'Complete in %', ...(found ? ['Open findings'] : [])],
    rows: sites.map(({ group, label, records, forms, complete }) => [
      ...[label, records, forms, complete],
      forms ? Math.round((100 * (complete ?? 0)) / forms) : null,
      ...(found ? [found(group)] : []),
    ]),
    hrefs: sites.map(({ group: site, records, forms, complete }) => [
      undefined,
      listed(records, listAddress('records', { ...lists, event: undefined, site })),
      listed(forms, listAddress('forms', { ...lists, site })),
      listed(complete, listAddress('forms', { ...lists, site, statuses: ['complete'] })),
      undefined,
      listed(found?.(site), listAddress('findings', { ...lists, site })),
    ]),
    note: 'A count leads to the list of what it counts. Forms are those that were begun or are expected.',
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
