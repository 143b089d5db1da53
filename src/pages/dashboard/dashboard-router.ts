import { setTimeout } from 'node:timers/promises';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { Request, RequestHandler, Response, Router } from 'express';
import { CrfError, toGap } from '../../domain/errors/crf-error.js';
import { crfOf } from '../../http/app-state.js';
import type { DistributionRequest } from '../../services/summary/distribution-tally.js';
import type { StudySummary } from '../../services/summary/study-summary.js';
import { fileNameOf, readStudyFilter, type DashboardChoice } from './list-address.js';
import { pageContextOf } from '../page-context.js';
import { getPage, pageRouter } from '../page-router.js';
import { sendPage } from '../send-page.js';
import { asViewer, type Viewer } from '../viewer.js';
import type { Plot } from './plot-frame.js';
import type { ReportView } from './report-page.js';
import type { Texts } from '../texts/texts.js';
import { LANGUAGES } from '../texts/texts.js';

const FORMATS: ReadonlySet<string> = new Set(['svg', 'csv']);

/**
 * Serves the dashboard, and its plots as files. The drawing code is imported for the first reader, to keep the start of
 * the service fast.
 *
 * @param callLimit limits requests like calls of the API (RATE-01)
 */
export function createDashboardRouter(callLimit: RequestHandler): Router {
  const router = pageRouter();
  const page = (
    path: string,
    render: (viewer: Viewer, request: Request, summary: StudySummary) => Promise<string>,
  ) =>
    getPage(
      router,
      path,
      callLimit,
      asViewer(async (viewer, request, response) => {
        const { summaries } = crfOf(request);
        const { filter } = await choiceOf(request);
        const summary = await soon(
          summaries.summary(viewer.scopes, filter).catch(unlessAway),
          FIRST_PATIENCE_MS,
        );
        if (summary === undefined)
          return sendWaiting(request, response, summaries.failedAt(viewer.scopes, filter));
        sendPage(response, await render(viewer, request, summary), { hasScripts: true });
      }),
    );
  page('/dashboard', async (viewer, request, summary) => {
    const { dashboardPage } = await import('./dashboard-page.js');
    return dashboardPage(pageContextOf(request), await viewOf(viewer, request, summary));
  });
  page('/dashboard/report', async (viewer, request, summary) => {
    const { reportPage } = await import('./report-page.js');
    return reportPage(pageContextOf(request), await reportOf(viewer, request, summary));
  });
  getPage(
    router,
    '/dashboard/plots/:plot.:format',
    callLimit,
    asViewer(async (viewer, request, response) => {
      const { plot: name = '', format = '' } = request.params as Record<string, string>;
      // A file with figures is for programs, whatever language its reader has.
      const t = format === 'csv' ? LANGUAGES.en : pageContextOf(request).t;
      const plot = FORMATS.has(format) ? await plotOf(t, name, viewer, request) : undefined;
      if (plot === undefined) throw new ProblemError('route_not_found');
      const { plotAsCsv, plotAsSvg } = await import('./plot-file.js');
      response
        .setHeader(
          'Content-Type',
          format === 'svg' ? 'image/svg+xml; charset=utf-8' : 'text/csv; charset=utf-8',
        )
        .setHeader('Content-Disposition', `attachment; filename="${await fileOf(name, request)}.${format}"`)
        .end(format === 'svg' ? plotAsSvg(plot) : plotAsCsv(plot));
    }),
  );
  return router;
}

/** Sends a page that asks again by itself, also without scripts. */
async function sendWaiting(
  request: Request,
  response: Response,
  failedAt: string | undefined,
): Promise<void> {
  const { waitingPage } = await import('./dashboard-page.js');
  const seconds = failedAt === undefined ? 3 : 15;
  response.setHeader('Refresh', `${seconds}`).setHeader('Retry-After', `${seconds}`);
  sendPage(response, waitingPage(pageContextOf(request), failedAt), { status: 503 });
}

async function viewOf(viewer: Viewer, request: Request, summary: StudySummary) {
  const { summaries, lists } = crfOf(request);
  const choice = await choiceOf(request);
  const { filter } = choice;
  // While REDCap is away, what is not known from before is left out.
  const failedAt = summaries.failedAt(viewer.scopes, filter);
  const part = <T>(asked: Promise<T>): Promise<T | undefined> =>
    failedAt === undefined ? asked : soon(asked.catch(toGap));
  const [fields = [], names] = await Promise.all([
    part(summaries.fields()),
    viewer.scopes.includes('records:read') ? part(lists.names({ caller: 'summary' })) : undefined,
  ]);
  const field = choice.field ?? fields[0]?.name;
  const [distribution, activity, quality, recent, withDays] = await Promise.all([
    field === undefined
      ? undefined
      : part(summaries.distribution({ field, by: choice.by, filter }, viewer.scopes).catch(toGap)),
    part(summaries.activity(viewer.scopes).catch(toGap)),
    soon(summaries.quality(viewer.scopes, filter).catch(toGap)),
    soon(summaries.recent(viewer.scopes, filter)),
    soon(summaries.withDaysToEntry(summary, viewer.scopes, filter)),
  ]);
  return {
    viewer,
    summary: withDays ?? summary,
    failedAt,
    names,
    choice: { ...choice, field },
    fields,
    distribution,
    activity,
    quality,
    recent,
  };
}

/** Returns what the report shows beside the summary, as far as it is known and the reader may see records. */
async function reportOf(viewer: Viewer, request: Request, summary: StudySummary): Promise<ReportView> {
  const { summaries, lists } = crfOf(request);
  const { filter } = await choiceOf(request);
  const part = <T>(asked: Promise<T>): Promise<T | undefined> => soon(asked.catch(toGap), FIRST_PATIENCE_MS);
  const call = { caller: viewer.name };
  if (!viewer.scopes.includes('records:read'))
    return {
      ...{ summary, filter, names: undefined },
      ...{ quality: undefined, recent: undefined, visitsByDag: undefined },
    };
  const [quality, recent, names, withDays = summary] = await Promise.all([
    part(summaries.quality(viewer.scopes, filter)),
    part(summaries.recent(viewer.scopes, filter)),
    part(lists.names(call)),
    part(summaries.withDaysToEntry(summary, viewer.scopes, filter)),
  ]);
  const due = names?.hasSchedule === true ? await part(lists.page('due', filter, call)) : undefined;
  // A list of visits counts them in every group, so that its reader can choose another.
  const isOfPart = ([dag]: readonly [string, unknown]): boolean =>
    filter.dag === undefined || dag === filter.dag;
  const visitsByDag = due && new Map([...due.visitsByDag].filter(isOfPart));
  return { summary: withDays, filter, names, quality, recent, visitsByDag };
}

/**
 * How long the page waits for figures that require reading every record. Their computation continues for the next
 * visit.
 */
const PATIENCE_MS = 1500;
/** How long it waits for the figures without which there is no page. */
const FIRST_PATIENCE_MS = 5000;

function soon<T>(part: Promise<T>, patienceMs = PATIENCE_MS): Promise<T | undefined> {
  return Promise.race([part, setTimeout(patienceMs, undefined, { ref: false })]);
}

/** Turns an error of REDCap, whose figures may come later, into a gap. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof CrfError) || error.status < 500) throw error;
  return undefined;
}

async function plotOf(t: Texts, name: string, viewer: Viewer, request: Request): Promise<Plot | undefined> {
  const { summaries } = crfOf(request);
  const { interval, field, by, filter } = await choiceOf(request);
  if (name === 'distribution') {
    if (field === undefined) return undefined;
    const asked: DistributionRequest = { field, by, filter };
    const { distributionPlot } = await import('./distribution-plot.js');
    return distributionPlot(t, await summaries.distribution(asked, viewer.scopes));
  }
  const summary = await summaries.summary(viewer.scopes, filter);
  switch (name) {
    case 'recruitment':
      return (await import('./time-plots.js')).recruitmentPlot(t, summary.recruitment, interval);
    case 'completeness':
      return (await import('./completeness-plot.js')).completenessPlot(t, summary.completeness);
    case 'dags': {
      const [{ dags }, quality, recent] = await Promise.all([
        summaries.withDaysToEntry(summary, viewer.scopes, filter),
        summaries.quality(viewer.scopes, filter),
        summaries.recent(viewer.scopes, filter),
      ]);
      const mayRead = viewer.scopes.includes('records:read');
      const compared = mayRead ? { lists: filter, quality, recent } : undefined;
      return (await import('./study-plots.js')).dagsPlot(t, dags, compared);
    }
    case 'missing':
      return (await import('./study-plots.js')).missingPlot(t, summary.missing);
    case 'activity': {
      const activity = await summaries.activity(viewer.scopes);
      return activity && (await import('./time-plots.js')).activityPlot(t, activity);
    }
    case 'quality': {
      const quality = await summaries.quality(viewer.scopes, filter);
      return quality && (await import('./study-plots.js')).qualityPlot(t, quality, filter);
    }
    default:
      return undefined;
  }
}

/** Returns the name of the file of a plot: the study, the plot, the part of the study and the day. */
async function fileOf(plot: string, request: Request): Promise<string> {
  const { overview, lists } = crfOf(request);
  const { filter, field } = await choiceOf(request);
  const { dag, arm, event, from, until } = filter;
  return fileNameOf([
    await overview.title(),
    plot,
    ...(plot === 'distribution' ? [field] : []),
    dag === '' ? 'no-dag' : dag,
    arm === undefined ? undefined : `arm-${arm}`,
    event,
    from,
    until,
    await lists.day(),
  ]);
}

/** @throws {InvalidRequestError} the period is not valid */
async function choiceOf(request: Request): Promise<DashboardChoice> {
  const { query } = request;
  const { interval, field, by } = query;
  return {
    interval: interval === 'week' ? 'week' : 'month',
    field: typeof field === 'string' && field !== '' ? field : undefined,
    by: by === 'dag' || by === 'arm' ? by : undefined,
    filter: await crfOf(request).lists.inDays(readStudyFilter(query)),
  };
}
