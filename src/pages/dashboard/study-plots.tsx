import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import type { RecentFindings } from '../../services/summary/study-summaries.js';
import type { MissingField, SiteCount } from '../../services/summary/study-summary.js';
import { barDrawing } from './bar-plot.js';
import { listAddress } from './list-address.js';
import { shown, type Plot } from './plot-frame.js';
import type { Texts } from '../texts/texts.js';
import { QUALITY_RULES } from '../../records/rules/quality-finding.js';

const MOST_MISSING = 15;

/** What is known of the sites besides their records, for readers who may see records. */
export interface SiteComparison {
  /** The filter of the lists to which every count leads. */
  readonly lists: StudyFilter;
  /** Undefined while the records are being held against the rules. */
  readonly quality: DatedQualitySummary | undefined;
  /** Undefined also for readers who may not see the log. */
  readonly recent?: RecentFindings | undefined;
}

/** Plots the number of records per data access group, and compares the groups in its table. */
export function sitesPlot(
  t: Texts,
  sites: readonly SiteCount[],
  compared?: SiteComparison,
): Plot | undefined {
  if (sites.length === 0) return undefined;
  const lists = compared?.lists;
  const listOf = (site: string): string => listAddress('records', { ...lists, event: undefined, site });
  return {
    name: 'sites',
    title: t.sites.title,
    words: `${t.sites.records(sites.filter(({ group }) => group !== '').length)}${mostIn(t, sites)}`,
    ...barDrawing(
      sites.map(({ group, label, records }) => ({
        href: lists && listOf(group),
        label: group === '' ? t.study.noSite : label,
        value: records,
        text: shown(t, records),
      })),
    ),
    ...comparedSites(t, sites, compared),
  };
}

/** Returns the table of the sites; for readers who may see records, it compares them, with a list behind every count. */
export function comparedSites(
  t: Texts,
  sites: readonly SiteCount[],
  compared?: SiteComparison,
): Pick<Plot, 'columns' | 'rows' | 'hrefs' | 'note'> {
  const { columns } = t.sites;
  const nameOf = ({ group, label }: SiteCount): string => (group === '' ? t.study.noSite : label);
  if (compared === undefined)
    return {
      columns: [columns.site, columns.records],
      rows: sites.map((site) => [nameOf(site), site.records]),
    };
  const { lists, quality, recent } = compared;
  const counts = [
    ...(quality ? [{ column: columns.findings, bySite: quality.bySite, filter: lists }] : []),
    ...(quality && recent
      ? [{ column: columns.recent, bySite: recent.bySite, filter: { ...lists, changedFrom: recent.since } }]
      : []),
  ];
  const areDaysKnown = hasDaysToEntry(sites);
  const listed = (count: number | null | undefined, address: string) => (count ? address : undefined);
  return {
    columns: [
      ...[columns.site, columns.records, columns.forms, columns.complete, columns.percent],
      ...counts.map(({ column }) => column),
      ...(areDaysKnown ? [columns.daysToEntry] : []),
    ],
    rows: sites.map((site) => [
      ...[nameOf(site), site.records, site.forms, site.complete],
      site.forms ? Math.round((100 * (site.complete ?? 0)) / site.forms) : null,
      ...counts.map(({ bySite }) => bySite.get(site.group) ?? 0),
      ...(areDaysKnown ? [site.daysToEntry ?? ''] : []), // nothing is left out where no visit was entered
    ]),
    hrefs: sites.map(({ group: site, records, forms, complete }) => [
      undefined,
      listed(records, listAddress('records', { ...lists, event: undefined, site })),
      listed(forms, listAddress('forms', { ...lists, site })),
      listed(complete, listAddress('forms', { ...lists, site, statuses: ['complete'] })),
      undefined,
      ...counts.map(({ bySite, filter }) =>
        listed(bySite.get(site), listAddress('findings', { ...filter, site })),
      ),
    ]),
    note: [
      t.sites.note,
      ...(counts.length > 1 && recent ? [t.sites.recentNote(t.date(recent.since))] : []),
      ...(areDaysKnown ? [t.sites.daysNote] : []),
    ].join(' '),
  };
}

/** Whether it is known of any site how many days pass until a visit is entered. */
export function hasDaysToEntry(sites: readonly SiteCount[]): boolean {
  return sites.some(({ daysToEntry }) => daysToEntry !== null);
}

/** Plots the fields with the most empty values. */
export function missingPlot(t: Texts, missing: readonly MissingField[]): Plot | undefined {
  const withPercent = missing.filter(({ percent }) => percent !== null);
  const worst = withPercent.slice(0, MOST_MISSING);
  const [first] = worst;
  if (first === undefined) return undefined;
  const { columns } = t.missing;
  return {
    name: 'missing',
    title: t.missing.title,
    words: t.missing.words(first.label, first.percent ?? 0),
    ...barDrawing(
      worst.map(({ label, percent }) => ({ label, value: percent, text: t.percent(percent ?? 0) })),
      100,
    ),
    columns: [columns.field, columns.percent, columns.missing, columns.shown],
    rows: missing.map(({ field, label, percent, missing: count, shown }) => [
      `${label} (${field})`,
      percent,
      count,
      shown,
    ]),
  };
}

/** Returns a sentence about the largest site; empty if several are equally large, or if it cannot be determined. */
function mostIn(t: Texts, [first, second]: readonly SiteCount[]): string {
  if (first === undefined || first.records === null) return '';
  if (second !== undefined && (second.records === null || second.records === first.records)) return '';
  return ` ${t.sites.most(first.group === '' ? t.study.noSite : first.label, first.records)}`;
}

/** Plots the findings by quality rule.
 *
 * @param lists the filter of the lists to which every count leads
 */
export function qualityPlot(
  t: Texts,
  { records, findings, rules, madeAt }: DatedQualitySummary,
  lists: StudyFilter,
): Plot {
  const counts = QUALITY_RULES.map((rule) => ({
    rule,
    label: t.study.rules[rule],
    count: rules[rule] ?? 0,
  }));
  return {
    name: 'quality',
    title: t.quality.title,
    words: t.quality.words(findings, records, t.moment(madeAt)),
    isEmpty: findings === 0,
    ...barDrawing(
      counts.map(({ rule, label, count }) => ({
        label,
        value: count,
        text: t.number(count),
        href: listAddress('findings', { ...lists, rule }),
      })),
    ),
    columns: [t.quality.columns.rule, t.quality.columns.findings],
    rows: counts.map(({ rule, label, count }) => [`${label} (${rule})`, count]),
    hrefs: counts.map(({ rule, count }) => [
      undefined,
      count > 0 ? listAddress('findings', { ...lists, rule }) : undefined,
    ]),
    note: t.quality.note,
  };
}
