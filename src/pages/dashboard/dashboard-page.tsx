import type { Viewer } from '../viewer.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import type { StudyActivity } from '../../services/summary/study-activity.js';
import { ASSETS } from '../assets.js';
import { Moment } from '../moment.js';
import { inEnglish, type PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { LANGUAGES } from '../texts/texts.js';
import { activityPlot } from './activity-plot.js';
import { completenessPlot } from './completeness-plot.js';
import { Columns, type SizedCard } from './columns.js';
import { queryOf, type DashboardChoice } from './dashboard-choice.js';
import { DistributionCard, type DistributionCardProps } from './distribution-card.js';
import { Figures } from './figures.js';
import { formsList, listAddress, NOT_COMPLETE } from './list-address.js';
import { NotShown } from './not-shown.js';
import { PlotCard, type Plot, type PlotCardProps } from './plot-frame.js';
import { qualityPlot } from './quality-plot.js';
import { recruitmentPlot } from './recruitment-plot.js';
import { isFiltered } from '../../services/summary/chosen-records.js';
import type { ListNames } from '../../services/summary/study-lists.js';
import { DashboardFilter } from './filter-form.js';
import { missingPlot, sitesPlot } from './study-plots.js';

export interface DashboardView extends DistributionCardProps {
  readonly viewer: Viewer;
  /** When REDCap did not answer, ISO 8601; undefined if it did the last time. */
  readonly failedAt: string | undefined;
  /** The names by which readers who may see records can select a part of the study. */
  readonly names: ListNames | undefined;
  readonly activity: StudyActivity | undefined;
  /** Undefined while it is being computed, and for readers who may not see records. */
  readonly quality: DatedQualitySummary | undefined;
}

/** Renders the dashboard. */
export function dashboardPage(context: PageContext, view: DashboardView): string {
  const { viewer, summary, names } = view;
  const { filter } = view.choice;
  return renderPage({
    title: 'Dashboard',
    context: inEnglish(context),
    isWide: true,
    scripts: [ASSETS.plotsScript],
    lead: <strong>{summary.title}</strong>,
    children: (
      <>
        {names !== undefined && <DashboardFilter names={names} choice={view.choice} />}
        {view.failedAt !== undefined && (
          <p class="problem" role="status">
            REDCap did not answer at <Moment at={view.failedAt} t={LANGUAGES.en} />. These are the figures of{' '}
            <Moment at={summary.madeAt} t={LANGUAGES.en} />; what is not known from then is left out.
          </p>
        )}
        <Figures {...view} />
        {mayReadRecords(view) && (
          <p class="tools">
            <a href={listAddress('due', filter)}>Who is due</a>
            <a href={listAddress('forms', { ...filter, statuses: NOT_COMPLETE })}>
              Forms that are not complete
            </a>
            <a href={listAddress('records', { ...filter, event: undefined })}>All records</a>
            <a href={`/dashboard/report${queryOf({ filter })}`}>Report to print</a>
          </p>
        )}
        {summary.smallCell > 0 && (
          <p class="quiet small">
            Counts from 1 to {summary.smallCell - 1} are left out, and others that would tell them: they could
            lead to a participant.
          </p>
        )}
        {summary.records === 0 && <NoRecords />}
        <Columns cards={cardsOf(view)} />
        <Sites {...view} />
        <NotShown {...view} mayReadRecords={mayReadRecords(view)} />
        <p class="quiet small">
          Figures of <Moment at={summary.madeAt} t={LANGUAGES.en} />.{' '}
          <a href={`/dashboard${queryOf(view.choice)}`}>Look again</a>
          {viewer.user !== undefined && (
            <>
              {' '}
              · Signed in as {viewer.user.email} · <a href="/dashboard/sessions">Account and sessions</a>
            </>
          )}
        </p>
      </>
    ),
  });
}

function mayReadRecords({ viewer }: DashboardView): boolean {
  return viewer.scopes.includes('records:read');
}

/** The approximate height of everything around a drawing: heading, text, table, files. */
const FRAME = 190;
/** The approximate height of a legend, a choice or a list. */
const PART = 35;

/** Returns the cards, the most useful first. For a study without records, only the activity. */
function cardsOf(view: DashboardView): SizedCard[] {
  const { summary, choice, activity } = view;
  const activityCard = activity === undefined ? undefined : cardOf(activityPlot(activity));
  if (summary.records === 0) return [activityCard].filter((card) => card !== undefined);
  const mayRead = mayReadRecords(view);
  const lists = mayRead ? choice.filter : undefined;
  const query = queryOf({ filter: choice.filter });
  return [
    cardOf(recruitmentPlot(summary.recruitment, choice.interval, lists), {
      query: queryOf({ interval: choice.interval, filter: choice.filter }),
      children: summary.recruitment.weeks.length > 0 && <IntervalChoice {...choice} />,
    }),
    cardOf(completenessPlot(summary.completeness, lists), {
      query,
      lists: mayRead && <ListsOfRecords {...view} />,
    }),
    cardOf(missingPlot(summary.missing), { query }),
    mayRead ? undefined : cardOf(sitesPlot(summary.sites)),
    isFiltered(choice.filter) ? undefined : activityCard, // the log does not say of which part
    mayRead ? { height: heightOfQuality(view), card: <Quality {...view} /> } : undefined,
    { height: 2 * FRAME + 2 * PART, card: <DistributionCard {...view} /> },
  ].filter((card) => card !== undefined);
}

function heightOfQuality({ quality }: DashboardView): number {
  return quality === undefined || quality.findings === 0 ? FRAME / 2 : 2 * FRAME;
}

function cardOf(plot: Plot | undefined, parts: Omit<PlotCardProps, 'plot'> = {}): SizedCard | undefined {
  if (plot === undefined) return undefined;
  const extras = [plot.legend, parts.lists, parts.children].filter(Boolean).length;
  return { height: plot.height + FRAME + extras * PART, card: <PlotCard plot={plot} {...parts} /> };
}

function NoRecords() {
  return (
    <section class="card" aria-labelledby="no-records">
      <h2 id="no-records">No records yet</h2>
      <p>
        Figures and plots appear here with the first record that is saved in REDCap. Have you a file with
        records already? <a href="/try-file">Check it against the data dictionary</a>.
      </p>
    </section>
  );
}

function IntervalChoice(choice: DashboardChoice) {
  return (
    <p class="tools">
      Recruitment by
      {(['month', 'week'] as const).map((interval) => (
        <a
          key={interval}
          href={`/dashboard${queryOf({ ...choice, interval })}`}
          aria-current={choice.interval === interval ? 'true' : undefined}
        >
          {interval}
        </a>
      ))}
    </p>
  );
}

/** The incomplete forms by instrument, for readers who may see records. */
function ListsOfRecords({ summary: { completeness }, choice: { filter } }: DashboardView) {
  return (
    <details>
      <summary>Lists of forms</summary>
      <ul>
        {[...new Map(completeness.map((cell) => [cell.instrument, cell.instrumentLabel]))].map(
          ([name, label]) => (
            <li key={name}>
              <a href={formsList({ instrument: name }, NOT_COMPLETE, filter)}>{label}: not complete</a>
            </li>
          ),
        )}
      </ul>
    </details>
  );
}

/** The sites side by side, for readers who may see records. */
function Sites(view: DashboardView) {
  const { summary, quality, choice } = view;
  const { filter } = choice;
  if (!mayReadRecords(view) || filter.site !== undefined || summary.records === 0) return null;
  const plot = sitesPlot(summary.sites, { lists: filter, quality });
  return plot === undefined ? null : <PlotCard plot={plot} query={queryOf({ filter })} isWide />;
}

/** The findings of the quality rules, for readers who may see records. */
function Quality({ quality, choice: { filter } }: DashboardView) {
  const list = (
    <p class="small">
      <a href={listAddress('findings', filter)}>Every finding</a>
    </p>
  );
  if (quality !== undefined)
    return <PlotCard plot={qualityPlot(quality, filter)} lists={quality.findings > 0 && list} />;
  return (
    <section class="card" aria-labelledby="quality-heading">
      <h2 id="quality-heading">Quality</h2>
      <p class="quiet small">The records are being held against the rules. Look again in a moment.</p>
      {list}
    </section>
  );
}
