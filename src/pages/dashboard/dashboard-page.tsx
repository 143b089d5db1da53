import type { Viewer } from '../viewer.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import type { RecentFindings } from '../../services/summary/study-summaries.js';
import type { StudyActivity } from '../../services/summary/study-activity.js';
import { ASSETS } from '../assets.js';
import { Moment, Section, type Worded } from '../parts.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import type { Texts } from '../texts/texts.js';
import { activityPlot, recruitmentPlot } from './time-plots.js';
import { completenessPlot } from './completeness-plot.js';
import { Columns, Figures, NotShown, type SizedCard } from './dashboard-parts.js';
import { NOT_COMPLETE } from '../../services/summary/listed-forms.js';
import { queryOf, formsList, listAddress, type DashboardChoice } from './list-address.js';
import { DistributionCard, type DistributionCardProps } from './distribution-card.js';
import { PlotCard, type Plot, type PlotCardProps } from './plot-frame.js';
import { qualityPlot, missingPlot, dagsPlot } from './study-plots.js';
import { isFiltered } from '../../services/summary/chosen-records.js';
import type { ListNames } from '../../services/summary/study-lists.js';
import { DashboardFilter } from './filter-form.js';

export interface DashboardView extends Omit<DistributionCardProps, 't'> {
  readonly viewer: Viewer;
  /** When REDCap did not answer, ISO 8601; undefined if it did the last time. */
  readonly failedAt: string | undefined;
  /** The names by which readers who may see records can select a part of the study. */
  readonly names: ListNames | undefined;
  readonly activity: StudyActivity | undefined;
  /** Undefined while it is being computed, and for readers who may not see records. */
  readonly quality: DatedQualitySummary | undefined;
  /** Undefined while it is being computed, and for readers who may not see records or the log. */
  readonly recent: RecentFindings | undefined;
}

/** The dashboard in the language of its reader. */
type DashboardProps = Worded<DashboardView>;

/** Renders the dashboard. */
export function dashboardPage(context: PageContext, shown: DashboardView): string {
  const { t } = context;
  const { dashboard } = t;
  const view = { t, ...shown };
  const { viewer, summary, names } = view;
  const { filter } = view.choice;
  return renderPage({
    title: dashboard.title,
    context,
    isWide: true,
    scripts: [ASSETS.plotsScript],
    lead: <strong>{summary.title}</strong>,
    children: (
      <>
        {names !== undefined && <DashboardFilter t={t} names={names} choice={view.choice} />}
        {view.failedAt !== undefined && (
          <p class="problem" role="status">
            {dashboard.notAnswered(<Moment at={view.failedAt} t={t} />, <Moment at={summary.madeAt} t={t} />)}
          </p>
        )}
        <Figures {...view} />
        {mayReadRecords(view) && (
          <p class="tools">
            <a href={listAddress('due', filter)}>{dashboard.due}</a>
            <a href={listAddress('forms', { ...filter, statuses: NOT_COMPLETE })}>{dashboard.notComplete}</a>
            <a href={listAddress('records', { ...filter, event: undefined })}>{dashboard.allRecords}</a>
            <a href={`/dashboard/report${queryOf({ filter })}`}>{dashboard.report}</a>
          </p>
        )}
        {summary.smallCell > 0 && <p class="quiet small">{dashboard.smallCell(summary.smallCell - 1)}</p>}
        {summary.records === 0 && (
          <Section id="no-records" title={dashboard.noRecords.title}>
            <p>{dashboard.noRecords.text}</p>
          </Section>
        )}
        <Columns cards={cardsOf(view)} />
        <Dags {...view} />
        <NotShown {...view} mayReadRecords={mayReadRecords(view)} />
        <p class="quiet small">
          {dashboard.madeAt(<Moment at={summary.madeAt} t={t} />)}{' '}
          <a href={`/dashboard${queryOf(view.choice)}`}>{dashboard.lookAgain}</a>
          {viewer.user !== undefined && (
            <>
              {' '}
              · {dashboard.signedInAs(viewer.user.email)} ·{' '}
              <a href="/dashboard/sessions">{dashboard.account}</a>
            </>
          )}
        </p>
      </>
    ),
  });
}

function mayReadRecords({ viewer }: Pick<DashboardView, 'viewer'>): boolean {
  return viewer.scopes.includes('records:read');
}

/** The approximate height of everything around a drawing: heading, text, table, files. */
const FRAME = 190;
/** The approximate height of a legend, a choice or a list. */
const PART = 35;

/** Returns the cards, the most useful first. For a study without records, only the activity. */
function cardsOf(view: DashboardProps): SizedCard[] {
  const { t, summary, choice, activity } = view;
  const activityCard = activity === undefined ? undefined : cardOf(t, activityPlot(t, activity));
  if (summary.records === 0) return [activityCard].filter((card) => card !== undefined);
  const card = (plot: Plot | undefined, parts: CardParts = {}) => cardOf(t, plot, parts);
  const mayRead = mayReadRecords(view);
  const lists = mayRead ? choice.filter : undefined;
  const query = queryOf({ filter: choice.filter });
  return [
    card(recruitmentPlot(t, summary.recruitment, choice.interval, lists), {
      query: queryOf({ interval: choice.interval, filter: choice.filter }),
      children: summary.recruitment.weeks.length > 0 && <IntervalChoice t={t} choice={choice} />,
    }),
    card(completenessPlot(t, summary.completeness, lists), {
      query,
      lists: mayRead && <ListsOfRecords {...view} />,
    }),
    card(missingPlot(t, summary.missing), { query }),
    mayRead ? undefined : card(dagsPlot(t, summary.dags)),
    isFiltered(choice.filter) ? undefined : activityCard, // the log does not say of which part
    mayRead ? { height: heightOfQuality(view), card: <Quality {...view} /> } : undefined,
    { height: 2 * FRAME + 2 * PART, card: <DistributionCard {...view} /> },
  ].filter((each) => each !== undefined);
}

function heightOfQuality({ quality }: DashboardView): number {
  return quality === undefined || quality.findings === 0 ? FRAME / 2 : 2 * FRAME;
}

/** What a card has besides its plot. */
type CardParts = Omit<PlotCardProps, 't' | 'plot'>;

function cardOf(t: Texts, plot: Plot | undefined, parts: CardParts = {}): SizedCard | undefined {
  if (plot === undefined) return undefined;
  const extras = [plot.legend, parts.lists, parts.children].filter(Boolean).length;
  return { height: plot.height + FRAME + extras * PART, card: <PlotCard t={t} plot={plot} {...parts} /> };
}

function IntervalChoice({ t, choice }: { readonly t: Texts; readonly choice: DashboardChoice }) {
  return (
    <p class="tools">
      {t.recruitment.by}
      {(['month', 'week'] as const).map((interval) => (
        <a
          key={interval}
          href={`/dashboard${queryOf({ ...choice, interval })}`}
          aria-current={choice.interval === interval ? 'true' : undefined}
        >
          {t.recruitment.intervals[interval]}
        </a>
      ))}
    </p>
  );
}

/** The incomplete forms by instrument, for readers who may see records. */
function ListsOfRecords({ t, summary: { completeness }, choice: { filter } }: DashboardProps) {
  return (
    <details>
      <summary>{t.completeness.lists}</summary>
      <ul>
        {[...new Map(completeness.map((cell) => [cell.instrument, cell.instrumentLabel]))].map(
          ([name, label]) => (
            <li key={name}>
              <a href={formsList({ instrument: name }, NOT_COMPLETE, filter)}>
                {t.completeness.notComplete(label)}
              </a>
            </li>
          ),
        )}
      </ul>
    </details>
  );
}

/** The data access groups side by side, for readers who may see records. */
function Dags(view: DashboardProps) {
  const { t, summary, quality, recent, choice } = view;
  const { filter } = choice;
  if (!mayReadRecords(view) || filter.dag !== undefined || summary.records === 0) return null;
  const plot = dagsPlot(t, summary.dags, { lists: filter, quality, recent });
  return plot === undefined ? null : <PlotCard t={t} plot={plot} query={queryOf({ filter })} isWide />;
}

/** The findings of the quality rules, for readers who may see records. */
function Quality({ t, quality, recent, choice: { filter } }: DashboardProps) {
  const list = (
    <p class="small">
      <a href={listAddress('findings', filter)}>{t.quality.everyFinding}</a>
      {recent !== undefined && recent.findings > 0 && (
        <>
          {' · '}
          <a href={listAddress('findings', { ...filter, changedFrom: recent.since })}>
            {t.quality.recent(recent.findings, t.date(recent.since))}
          </a>
        </>
      )}
    </p>
  );
  if (quality !== undefined)
    return <PlotCard t={t} plot={qualityPlot(t, quality, filter)} lists={quality.findings > 0 && list} />;
  return (
    <Section id="quality" title={t.quality.title}>
      <p class="quiet small">{t.quality.notYet}</p>
      {list}
    </Section>
  );
}

/**
 * Renders what stands in for the dashboard until there are figures. A browser asks again by itself.
 *
 * @param failedAt when REDCap did not answer, ISO 8601; undefined while the records are being read
 */
export function waitingPage(context: PageContext, failedAt: string | undefined): string {
  const { t } = context;
  return renderPage({
    title: t.dashboard.title,
    context,
    children: (
      <>
        <p class={failedAt === undefined ? undefined : 'problem'} role="status">
          {failedAt === undefined
            ? t.dashboard.waiting
            : t.dashboard.neverAnswered(<Moment at={failedAt} t={t} />)}
        </p>
        <p class="quiet">{t.dashboard.asksAgain}</p>
        <p class="actions">
          <a class="button" href="">
            {t.problem.tryAgain}
          </a>
          <a href="/help">{t.frame.help}</a>
        </p>
      </>
    ),
  });
}
