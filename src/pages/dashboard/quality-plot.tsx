import { QUALITY_RULES } from '../../records/rules/quality-finding.js';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import type { Texts } from '../texts/en.js';
import { barDrawing } from './bar-plot.js';
import { listAddress } from './list-address.js';
import type { Plot } from './plot-frame.js';

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
