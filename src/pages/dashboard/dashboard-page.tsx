import type { Viewer } from '../viewer.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import type { DatedQualitySummary } from '../../services/summary/quality-counts.js';
import type { StudyActivity } from '../../services/summary/study-activity.js';
import { ASSETS } from '../assets.js';
import { momentInWords } from '../moment.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { activityPlot } from './activity-plot.js';
import { completenessPlot, recordsNotComplete } from './completeness-plot.js';
import { queryOf, type DashboardChoice } from './dashboard-choice.js';
import { DistributionCard, type DistributionCardProps } from './distribution-card.js';
import { PlotCard, type Plot } from './plot-frame.js';
import { findingsOf, qualityPlot } from './quality-plot.js';
import { recruitmentPlot } from './recruitment-plot.js';
import { missingPlot, sitesPlot } from './study-plots.js';

export interface DashboardView extends DistributionCardProps {
  readonly viewer: Viewer;
  readonly recordIdField: string;
  readonly activity: StudyActivity | undefined;
  /** Undefined while it is counted, and for those who may not read records. */
  readonly quality: DatedQualitySummary | undefined;
}

/** The study at a glance. */
export function dashboardPage(context: PageContext, view: DashboardView): string {
  const { viewer, summary, choice, activity } = view;
  const mayReadRecords = viewer.scopes.includes('records:read');
  const plots: readonly (Plot | undefined)[] = [
    missingPlot(summary.missing),
    sitesPlot(summary.sites),
    activity === undefined ? undefined : activityPlot(activity),
  ];
  const recruitment = recruitmentPlot(summary.recruitment, choice.interval);
  const completeness = completenessPlot(summary.completeness, {
    recordIdField: mayReadRecords ? view.recordIdField : undefined,
  });
  return renderPage({
    title: 'Dashboard',
    context,
    isWide: true,
    scripts: [ASSETS.plotsScript],
    lead: <strong>{summary.title}</strong>,
    children: (
      <>
        <Figures {...summary} />
        {summary.smallCell > 0 && (
          <p class="quiet small">
            Counts from 1 to {summary.smallCell - 1} are left out, and others that would tell them: they could
            lead to a participant.
          </p>
        )}
        <div class="glance">
          {recruitment !== undefined && (
            <PlotCard plot={recruitment} query={queryOf({ interval: choice.interval })}>
              {summary.recruitment.weeks.length > 0 && <IntervalChoice {...choice} />}
            </PlotCard>
          )}
          {completeness !== undefined && (
            <PlotCard plot={completeness} lists={mayReadRecords && <ListsOfRecords {...view} />} />
          )}
          {plots.map((plot) => plot !== undefined && <PlotCard key={plot.name} plot={plot} />)}
          {mayReadRecords && <Quality {...view} />}
          <DistributionCard {...view} />
        </div>
        <p class="quiet small">
          Figures of {momentInWords(summary.madeAt)}. <a href="/dashboard">Look again</a>
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

function Figures({ records, recruitment, fields, instruments, completeness, missingPercent }: StudySummary) {
  const { target } = recruitment;
  const forms = completeness.reduce(
    (sum, cell) =>
      sum + (cell.complete ?? 0) + (cell.unverified ?? 0) + (cell.incomplete ?? 0) + (cell.notBegun ?? 0),
    0,
  );
  const complete = completeness.reduce((sum, cell) => sum + (cell.complete ?? 0), 0);
  return (
    <ul class="figures">
      <Figure
        value={records ?? 'few'}
        label={target === null ? 'records' : `of ${target} records hoped for`}
      />
      <Figure
        value={forms === 0 ? '–' : `${Math.round((complete / forms) * 100)} %`}
        label="of forms complete"
      />
      <Figure value={missingPercent === null ? '–' : `${missingPercent} %`} label="of values missing" />
      <Figure value={fields} label={`fields on ${instruments} instruments`} />
    </ul>
  );
}

function Figure({ value, label }: { readonly value: string | number; readonly label: string }) {
  return (
    <li>
      <strong>{value}</strong>
      <span>{label}</span>
    </li>
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

/** For those who may read records: the forms that are not complete, by instrument. */
function ListsOfRecords({ summary: { completeness }, recordIdField }: DashboardView) {
  return (
    <details>
      <summary>Lists of records (CSV)</summary>
      <ul>
        {[...new Map(completeness.map((cell) => [cell.instrument, cell.instrumentLabel]))].map(
          ([name, label]) => (
            <li key={name}>
              <a href={recordsNotComplete({ instrument: name }, recordIdField)}>{label}: not complete</a>
            </li>
          ),
        )}
      </ul>
    </details>
  );
}

/** For those who may read records: what the quality rules find. */
function Quality({ quality }: DashboardView) {
  const list = (
    <p class="small">
      <a href={findingsOf()}>Every finding, row by row (CSV)</a>
    </p>
  );
  if (quality !== undefined) return <PlotCard plot={qualityPlot(quality)}>{list}</PlotCard>;
  return (
    <section class="card" aria-labelledby="quality-heading">
      <h2 id="quality-heading">Quality</h2>
      <p class="quiet small">The records are being held against the rules. Look again in a moment.</p>
      {list}
    </section>
  );
}
