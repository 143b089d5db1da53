import type { Child } from 'hono/jsx';
import { QUALITY_RULES } from '../../records/rules/quality-finding.js';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import { VISIT_STATES } from '../../services/summary/due-visits.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import type { ListNames, VisitCounts } from '../../services/summary/study-lists.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import { Moment } from '../moment.js';
import { inEnglish, type PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { readStyleSheet } from '../style-sheet.js';
import { Table } from '../table.js';
import { LANGUAGES } from '../texts/texts.js';
import { completenessPlot } from './completeness-plot.js';
import { Figures } from './figures.js';
import { VISIT_LABELS } from './form-statuses.js';
import { numberInWords } from './in-words.js';
import { PlotCard, type Plot } from './plot-frame.js';
import { QUALITY_LABELS } from './quality-plot.js';
import { recruitmentPlot } from './recruitment-plot.js';
import { comparedSites, missingPlot } from './study-plots.js';

/** What a report is made from. */
export interface ReportView {
  readonly summary: StudySummary;
  readonly filter: StudyFilter;
  /** The names of the parts of the project; undefined for readers who may not see records, who see no part. */
  readonly names: ListNames | undefined;
  /** Undefined if it is not known yet, and for readers who may not see records. */
  readonly quality: DatedQualitySummary | undefined;
  /** The visits that are due by site; undefined without a schedule, and for readers who may not see records. */
  readonly visitsBySite: ReadonlyMap<string, VisitCounts> | undefined;
}

/** Renders the report of a study, to be printed. */
export function reportPage(context: PageContext, view: ReportView): string {
  return renderPage({
    title: 'Report',
    context: inEnglish(context),
    isWide: true,
    lead: <strong>{view.summary.title}</strong>,
    children: <Report {...view} />,
  });
}

/** Returns the report as a document of its own, without scripts and links. */
export function reportFile(view: ReportView): string {
  const { title } = view.summary;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Report`}</title>
      </head>
      <body>
        <main class="wide">
          <h1>{title}</h1>
          <Report {...view} />
        </main>
      </body>
    </html>
  );
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- an element of Hono converts to its own HTML
  const html = String(page);
  return `<!doctype html>${html.replace('</head>', () => `<style>${readStyleSheet()}</style></head>`)}\n`;
}

function Report(view: ReportView) {
  const { summary, quality, filter, names } = view;
  const part = partInWords(filter, names);
  return (
    <div class="report">
      <p class="quiet small">
        {part !== '' && `${part}. `}Figures of <Moment at={summary.madeAt} t={LANGUAGES.en} />.
        {visitsInWords(view)}
        {summary.smallCell > 0 && ` Counts from 1 to ${summary.smallCell - 1} are left out.`}
      </p>
      <Figures summary={summary} quality={quality} />
      <div class="glance">
        <div>
          <Printed plot={recruitmentPlot(summary.recruitment, 'month')} />
          <Printed plot={missingPlot(summary.missing)} />
          {quality !== undefined && <Findings {...quality} />}
        </div>
        <div>
          <Printed plot={completenessPlot(summary.completeness)} />
        </div>
      </div>
      {summary.sites.length > 0 && <Sites {...view} />}
    </div>
  );
}

/** Returns which part of the study the report is of; empty for the whole. */
function partInWords({ site, arm, event, from, to }: StudyFilter, names: ListNames | undefined): string {
  return [
    site === undefined ? '' : `Site: ${site === '' ? 'no group' : (names?.sites.get(site) ?? site)}`,
    arm === undefined ? '' : `arm ${arm}`,
    event === undefined ? '' : (names?.events.get(event) ?? event),
    from === undefined ? '' : `joined from ${from}`,
    to === undefined ? '' : `joined until ${to}`,
  ]
    .filter((words) => words !== '')
    .join(', ');
}

function Printed({ plot }: { readonly plot: Plot | undefined }) {
  return plot === undefined ? null : <PlotCard plot={plot} isPrinted />;
}

function Card({ title, children }: { readonly title: string; readonly children: Child }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Findings({ findings, rules }: DatedQualitySummary) {
  if (findings === 0) return null;
  return (
    <Card title="Open findings">
      <Table
        label="Open findings by rule"
        columns={['Rule', { name: 'Findings', kind: 'number' }]}
        rows={QUALITY_RULES.filter((rule) => rules[rule]).map((rule) => [QUALITY_LABELS[rule], rules[rule]])}
      />
    </Card>
  );
}

/** Returns how many visits are due, in a sentence; empty without a schedule. */
function visitsInWords({ visitsBySite }: Pick<ReportView, 'visitsBySite'>): string {
  if (visitsBySite === undefined) return '';
  const counts = [...visitsBySite.values()];
  const states = VISIT_STATES.map((state) => {
    const total = counts.reduce((sum, each) => sum + each[state], 0);
    return `${numberInWords(total)} ${VISIT_LABELS[state].toLowerCase()}`;
  });
  return ` Visits: ${states.join(', ')}.`;
}

/** The sites side by side, with the visits that are due at each. */
function Sites({ summary, quality, names, visitsBySite }: ReportView) {
  const { columns, rows } = comparedSites(summary.sites, names && { lists: {}, quality });
  const states = visitsBySite === undefined ? [] : (['overdue', 'thisWeek'] as const);
  return (
    <Card title="Sites">
      <Table
        label="Sites side by side"
        columns={[...columns, ...states.map((state) => VISIT_LABELS[state])].map((name, index) =>
          index === 0 ? name : { name, kind: 'number' },
        )}
        rows={rows.map((row, index) => [
          ...row.map((cell) => cell ?? 'left out'),
          ...states.map((state) => visitsBySite?.get(summary.sites[index]?.group ?? '')?.[state] ?? 0),
        ])}
      />
    </Card>
  );
}
