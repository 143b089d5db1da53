import type { Child } from 'hono/jsx';
import { QUALITY_RULES } from '../../records/rules/quality-finding.js';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { VisitState } from '../../services/summary/due-visits.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import type { ListNames } from '../../services/summary/study-lists.js';
import type { VisitCounts } from '../../services/summary/list-page.js';
import type { RecentFindings } from '../../services/summary/study-summaries.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import { Moment, type Worded } from '../parts.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { printedFile } from '../printed-file.js';
import { Table } from '../table.js';
import type { Texts } from '../texts/texts.js';
import { Columns, Figures, type SizedCard } from './dashboard-parts.js';
import { completenessPlot } from './completeness-plot.js';
import { PlotCard, shown } from './plot-frame.js';
import { recruitmentPlot } from './time-plots.js';
import { comparedDags, hasDaysToEntry, missingPlot } from './study-plots.js';

/** What a report is made from. */
export interface ReportView {
  readonly summary: StudySummary;
  readonly filter: StudyFilter;
  /** The names of the parts of the project; undefined for readers who may not see records, who see no part. */
  readonly names: ListNames | undefined;
  /** Undefined if it is not known yet, and for readers who may not see records. */
  readonly quality: DatedQualitySummary | undefined;
  /** Undefined if it is not known yet, and for readers who may not see records or the log. */
  readonly recent: RecentFindings | undefined;
  /** The visits that are due by data access group; undefined without a schedule, and for readers who may not see records. */
  readonly visitsByDag: ReadonlyMap<string, VisitCounts> | undefined;
}

/** Renders the report of a study, to be printed. */
export function reportPage(context: PageContext, view: ReportView): string {
  return renderPage({
    title: context.t.report.title,
    context,
    isWide: true,
    lead: <strong>{view.summary.title}</strong>,
    children: <Report t={context.t} {...view} />,
  });
}

/** Returns the report as a document of its own, without scripts and links. */
export function reportFile(t: Texts, view: ReportView): string {
  const { title } = view.summary;
  return printedFile(t.lang, `${title} · ${t.report.title}`, title, <Report t={t} {...view} />);
}

/** A report in the language of its reader. */
type ReportProps = Worded<ReportView>;

function Report(view: ReportProps) {
  const { t, summary, quality, filter, names } = view;
  const part = partInWords(t, filter, names);
  return (
    <div class="report">
      <p class="quiet small">
        {part !== '' && `${part}. `}
        {t.dashboard.madeAt(<Moment at={summary.madeAt} t={t} />)}
        {visitsInWords(view)}
        {summary.smallCell > 0 && ` ${t.report.smallCell(summary.smallCell - 1)}`}
      </p>
      <Figures t={t} summary={summary} quality={quality} />
      <Columns cards={cardsOf(view)} />
      {summary.dags.length > 0 && <Dags {...view} />}
    </div>
  );
}

/** Returns which part of the study the report is of; empty for the whole. */
function partInWords(
  t: Texts,
  { dag, arm, event, from, until }: StudyFilter,
  names: ListNames | undefined,
): string {
  const { report } = t;
  return [
    dag === undefined ? '' : report.dag(dag === '' ? t.study.noDag : (names?.dags.get(dag) ?? dag)),
    arm === undefined ? '' : report.arm(arm),
    event === undefined ? '' : (names?.events.get(event) ?? event),
    from === undefined ? '' : report.from(t.date(from)),
    until === undefined ? '' : report.until(t.date(until)),
  ]
    .filter((words) => words !== '')
    .join(', ');
}

/** The approximate heights of the heading and text of a card, of a legend, and of a row of a table. */
const [HEAD, LEGEND, ROW] = [100, 35, 36];

function cardsOf({ t, summary, quality, recent }: ReportProps): SizedCard[] {
  const plots = [
    recruitmentPlot(t, summary.recruitment, 'month'),
    completenessPlot(t, summary.completeness),
    missingPlot(t, summary.missing),
  ].filter((plot) => plot !== undefined);
  const cards = plots.map((plot) => ({
    height: plot.height + HEAD + (plot.legend === undefined ? 0 : LEGEND),
    card: <PlotCard t={t} plot={plot} isPrinted />,
  }));
  if (quality === undefined || quality.findings === 0) return cards;
  const rules = QUALITY_RULES.filter((rule) => quality.rules[rule]);
  return [
    ...cards,
    { height: HEAD + rules.length * ROW, card: <Findings t={t} {...quality} recent={recent} /> },
  ];
}

function Card({ title, children }: { readonly title: string; readonly children: Child }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Findings({ t, rules, recent }: DatedQualitySummary & Pick<ReportProps, 't' | 'recent'>) {
  return (
    <Card title={t.report.findings.title}>
      {recent !== undefined && recent.findings > 0 && (
        <p class="quiet small">{`${t.quality.recent(recent.findings, t.date(recent.since))}.`}</p>
      )}
      <Table
        label={t.report.findings.label}
        columns={[t.quality.columns.rule, { name: t.quality.columns.findings, kind: 'number' }]}
        rows={QUALITY_RULES.filter((rule) => rules[rule]).map((rule) => [
          t.study.rules[rule],
          t.number(rules[rule] ?? 0),
        ])}
      />
    </Card>
  );
}

/** Returns how many visits are due, in a sentence; empty without a schedule. */
function visitsInWords({ t, visitsByDag }: Pick<ReportProps, 't' | 'visitsByDag'>): string {
  if (visitsByDag === undefined) return '';
  const counts = [...visitsByDag.values()];
  const total = (state: VisitState): string => t.number(counts.reduce((sum, each) => sum + each[state], 0));
  return ` ${t.report.visits(total('overdue'), total('thisWeek'), total('coming'))}`;
}

/** The data access groups side by side, with the visits that are due in each. */
function Dags({ t, summary, quality, names, visitsByDag }: ReportProps) {
  const { columns, rows } = comparedDags(t, summary.dags, names && { lists: {}, quality });
  const states = visitsByDag === undefined ? [] : (['overdue', 'thisWeek'] as const);
  return (
    <Card title={t.dags.title}>
      <Table
        label={t.report.dags}
        columns={[...columns, ...states.map((state) => t.study.visitStates[state])].map((name, index) =>
          index === 0 ? name : { name, kind: 'number' },
        )}
        rows={rows.map((row, index) => [
          ...row.map((cell) => shown(t, cell)),
          ...states.map((state) => visitsByDag?.get(summary.dags[index]?.dag ?? '')?.[state] ?? 0),
        ])}
      />
      {hasDaysToEntry(summary.dags) && <p class="quiet small">{t.dags.daysNote}</p>}
    </Card>
  );
}
