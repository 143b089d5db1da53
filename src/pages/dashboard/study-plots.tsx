import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import type { RecentFindings } from '../../services/summary/study-summaries.js';
import type { MissingField, DagCount } from '../../services/summary/study-summary.js';
import { barDrawing } from './bar-plot.js';
import { listAddress } from './list-address.js';
import { shown, type Plot } from './plot-frame.js';
import type { Texts } from '../texts/texts.js';
import { QUALITY_RULES } from '../../records/rules/quality-finding.js';

const MOST_MISSING = 15;

/** What is known of the data access groups besides their records, for readers who may see records. */
export interface DagComparison {
  /** The filter of the lists to which every count leads. */
  readonly lists: StudyFilter;
  /** Undefined while the records are being held against the rules. */
  readonly quality: DatedQualitySummary | undefined;
  /** Undefined also for readers who may not see the log. */
  readonly recent?: RecentFindings | undefined;
}

/** Plots the number of records per data access group, and compares the groups in its table. */
export function dagsPlot(t: Texts, dags: readonly DagCount[], compared?: DagComparison): Plot | undefined {
  if (dags.length === 0) return undefined;
  const lists = compared?.lists;
  const listOf = (dag: string): string => listAddress('records', { ...lists, event: undefined, dag });
  return {
    name: 'dags',
    title: t.dags.title,
    words: `${t.dags.records(dags.filter(({ dag }) => dag !== '').length)}${mostIn(t, dags)}`,
    ...barDrawing(
      dags.map(({ dag, label, records }) => ({
        href: lists && listOf(dag),
        label: dag === '' ? t.study.noDag : label,
        value: records,
        text: shown(t, records),
      })),
    ),
    ...comparedDags(t, dags, compared),
  };
}

/** Returns the table of the data access groups; for readers who may see records, it compares them, with a list behind every count. */
export function comparedDags(
  t: Texts,
  dags: readonly DagCount[],
  compared?: DagComparison,
): Pick<Plot, 'columns' | 'rows' | 'hrefs' | 'note'> {
  const { columns } = t.dags;
  const nameOf = ({ dag, label }: DagCount): string => (dag === '' ? t.study.noDag : label);
  if (compared === undefined)
    return {
      columns: [columns.dag, columns.records],
      rows: dags.map((count) => [nameOf(count), count.records]),
    };
  const { lists, quality, recent } = compared;
  const counts = [
    ...(quality ? [{ column: columns.findings, byDag: quality.byDag, filter: lists }] : []),
    ...(quality && recent
      ? [{ column: columns.recent, byDag: recent.byDag, filter: { ...lists, changedFrom: recent.since } }]
      : []),
  ];
  const areDaysKnown = hasDaysToEntry(dags);
  const listed = (count: number | null | undefined, address: string) => (count ? address : undefined);
  return {
    columns: [
      ...[columns.dag, columns.records, columns.forms, columns.complete, columns.percent],
      ...counts.map(({ column }) => column),
      ...(areDaysKnown ? [columns.daysToEntry] : []),
    ],
    rows: dags.map((count) => [
      ...[nameOf(count), count.records, count.forms, count.complete],
      count.forms ? Math.round((100 * (count.complete ?? 0)) / count.forms) : null,
      ...counts.map(({ byDag }) => byDag.get(count.dag) ?? 0),
      ...(areDaysKnown ? [count.daysToEntry ?? ''] : []), // nothing is left out where no visit was entered
    ]),
    hrefs: dags.map(({ dag, records, forms, complete }) => [
      undefined,
      listed(records, listAddress('records', { ...lists, event: undefined, dag })),
      listed(forms, listAddress('forms', { ...lists, dag })),
      listed(complete, listAddress('forms', { ...lists, dag, statuses: ['complete'] })),
      undefined,
      ...counts.map(({ byDag, filter }) =>
        listed(byDag.get(dag), listAddress('findings', { ...filter, dag })),
      ),
    ]),
    note: [
      t.dags.note,
      ...(counts.length > 1 && recent ? [t.dags.recentNote(t.date(recent.since))] : []),
      ...(areDaysKnown ? [t.dags.daysNote] : []),
    ].join(' '),
  };
}

/** Whether it is known of any data access group how many days pass until a visit is entered. */
export function hasDaysToEntry(dags: readonly DagCount[]): boolean {
  return dags.some(({ daysToEntry }) => daysToEntry !== null);
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

/** Returns a sentence about the largest data access group; empty if several are equally large, or if it cannot be determined. */
function mostIn(t: Texts, [first, second]: readonly DagCount[]): string {
  if (first === undefined || first.records === null) return '';
  if (second !== undefined && (second.records === null || second.records === first.records)) return '';
  return ` ${t.dags.most(first.dag === '' ? t.study.noDag : first.label, first.records)}`;
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
  const counts = QUALITY_RULES.map((rule) => ({ rule, label: t.study.rules[rule], count: rules[rule] ?? 0 }));
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
