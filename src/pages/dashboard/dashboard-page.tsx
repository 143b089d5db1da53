import type { Viewer } from '../viewer.js';
import type { FieldDistribution } from '../../services/summary/field-distribution.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import type { StudyActivity } from '../../services/summary/study-activity.js';
import { ASSETS } from '../assets.js';
import { momentInWords } from '../moment.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { activityPlot } from './activity-plot.js';
import { completenessPlot } from './completeness-plot.js';
import { distributionPlot } from './distribution-plot.js';
import { PlotCard, type Plot } from './plot-frame.js';
import { recruitmentPlot } from './recruitment-plot.js';
import { missingPlot, sitesPlot } from './study-plots.js';

/** What a reader chose on the dashboard. */
export interface DashboardChoice {
  readonly interval: 'month' | 'week';
  readonly field: string | undefined;
  readonly by: 'site' | 'arm' | undefined;
}

/** A field that can be chosen. */
export interface ChoosableField {
  readonly name: string;
  readonly label: string;
}

export interface DashboardView {
  readonly viewer: Viewer;
  readonly summary: StudySummary;
  readonly choice: DashboardChoice;
  readonly fields: readonly ChoosableField[];
  readonly distribution: FieldDistribution | undefined;
  readonly activity: StudyActivity | undefined;
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
  const completeness = completenessPlot(summary.completeness);
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
            <PlotCard plot={recruitment} query={`?interval=${choice.interval}`}>
              {summary.recruitment.weeks.length > 0 && <IntervalChoice interval={choice.interval} />}
            </PlotCard>
          )}
          {completeness !== undefined && <PlotCard plot={completeness} />}
          {plots.map((plot) => plot !== undefined && <PlotCard key={plot.name} plot={plot} />)}
          <Distribution {...view} />
          {mayReadRecords && <Lists {...summary} />}
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

function IntervalChoice({ interval }: { readonly interval: 'month' | 'week' }) {
  return (
    <p class="tools">
      Recruitment by
      <a href="/dashboard?interval=month" aria-current={interval === 'month' ? 'true' : undefined}>
        month
      </a>
      <a href="/dashboard?interval=week" aria-current={interval === 'week' ? 'true' : undefined}>
        week
      </a>
    </p>
  );
}

function Distribution({ fields, choice, distribution }: DashboardView) {
  if (fields.length === 0) return null;
  const query = `?field=${encodeURIComponent(choice.field ?? '')}${choice.by === undefined ? '' : `&by=${choice.by}`}`;
  const form = (
    <form class="inline" method="get" action="/dashboard#distribution-heading">
      <div>
        <label for="field">Distribution of</label>
        <select id="field" name="field">
          {fields.map(({ name, label }) => (
            <option key={name} value={name} selected={name === choice.field}>
              {label === '' ? name : `${label.slice(0, 60)} (${name})`}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="by">Split</label>
        <select id="by" name="by">
          <option value="">not at all</option>
          <option value="site" selected={choice.by === 'site'}>
            by site
          </option>
          <option value="arm" selected={choice.by === 'arm'}>
            by arm
          </option>
        </select>
      </div>
      <button type="submit">Show</button>
    </form>
  );
  if (distribution !== undefined)
    return (
      <PlotCard plot={distributionPlot(distribution)} query={query}>
        {form}
      </PlotCard>
    );
  return (
    <section class="card" aria-labelledby="distribution-heading">
      <h2 id="distribution-heading">Distribution</h2>
      {form}
    </section>
  );
}

/** For those who may read records: what leads to them. */
function Lists({ completeness }: StudySummary) {
  return (
    <section class="card whole" aria-labelledby="lists-heading">
      <h2 id="lists-heading">Lists of records</h2>
      <p>
        <a href="/api/v1/project/quality?format=csv">What the quality rules find, row by row (CSV)</a>
      </p>
      <details>
        <summary>Records whose form is not complete, by instrument (CSV)</summary>
        <ul>
          {[...new Map(completeness.map((cell) => [cell.instrument, cell.instrumentLabel]))].map(
            ([name, label]) => (
              <li key={name}>
                <a href={listOf(name)}>{label}</a>
              </li>
            ),
          )}
        </ul>
      </details>
    </section>
  );
}

function listOf(instrument: string): string {
  const query = new URLSearchParams({
    forms: instrument,
    filterLogic: `[${instrument}_complete] <> "2"`,
    format: 'csv',
  });
  return `/api/v1/records?${query.toString()}`;
}
