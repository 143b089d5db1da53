import { QUALITY_RULES, type QualityRule } from '../../records/rules/quality-finding.js';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import { LANGUAGES } from '../texts/texts.js';
import { barDrawing } from './bar-plot.js';
import { counted, numberInWords } from './in-words.js';
import { listAddress } from './list-address.js';
import type { Plot } from './plot-frame.js';

/** The rules in a few words. */
export const QUALITY_LABELS: Readonly<Record<QualityRule, string>> = {
  invalid_value: 'Not a valid value',
  out_of_range: 'Out of range',
  required_empty: 'Required but empty',
  hidden_value: 'Hidden but filled in',
  stale_calculation: 'Outdated calculation',
  contradicting_status: 'Status does not fit',
  not_checked: 'Could not be checked',
};

/** Plots the findings by quality rule.
 *
 * @param lists the filter of the lists to which every count leads
 */
export function qualityPlot(
  { records, findings, rules, madeAt }: DatedQualitySummary,
  lists: StudyFilter,
): Plot {
  const counts = QUALITY_RULES.map((rule) => ({
    rule,
    label: QUALITY_LABELS[rule],
    count: rules[rule] ?? 0,
  }));
  return {
    name: 'quality',
    title: 'Quality',
    words: `${findings === 0 ? 'No findings' : counted(findings, 'finding')} in ${counted(records, 'record')}, as of ${LANGUAGES.en.moment(madeAt)}.`,
    isEmpty: findings === 0,
    ...barDrawing(
      counts.map(({ rule, label, count }) => ({
        label,
        value: count,
        text: numberInWords(count),
        href: listAddress('findings', { ...lists, rule }),
      })),
    ),
    columns: ['Rule', 'Findings'],
    rows: counts.map(({ rule, label, count }) => [`${label} (${rule})`, count]),
    hrefs: counts.map(({ rule, count }) => [
      undefined,
      count > 0 ? listAddress('findings', { ...lists, rule }) : undefined,
    ]),
    note: 'A count leads to the list of its findings.',
  };
}
