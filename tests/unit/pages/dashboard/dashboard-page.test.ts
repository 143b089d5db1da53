import { expect } from 'chai';
import { dashboardPage, type DashboardView } from '../../../../src/pages/dashboard/dashboard-page.js';
import { BARE_CONTEXT } from '../../../../src/pages/page-context.js';
import { StudyLists } from '../../../../src/services/summary/study-lists.js';
import { StudySummaries } from '../../../../src/services/summary/study-summaries.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { classicStudy } from '../../../support/studies.js';

describe('The page of the dashboard', () => {
  it('says that REDCap is away, and of when its figures are', async () => {
    const started = await startSandboxClient(classicStudy());
    const { client } = started;
    const summaries = new StudySummaries(
      client,
      new StudyLists(client),
      {},
      () => new Date('2026-11-20T20:00:00Z'),
    );
    const summary = await summaries.summary(['records:read']).finally(() => started.close());
    const view: DashboardView = {
      viewer: { kind: 'anonymous', name: 'anonymous', user: undefined, scopes: [] },
      failedAt: '2026-11-21T08:05:00Z',
      summary,
      choice: { interval: 'month', field: undefined, by: undefined, filter: {} },
      fields: [],
      names: undefined,
      distribution: undefined,
      activity: undefined,
      quality: undefined,
      recent: undefined,
    };
    const wordsOf = (page: string): string => page.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

    expect(wordsOf(dashboardPage(BARE_CONTEXT, view))).to.include(
      'REDCap did not answer at 21 Nov 2026, 08:05 UTC. These are the figures of 20 Nov 2026, 20:00 UTC',
    );
    expect(dashboardPage(BARE_CONTEXT, { ...view, failedAt: undefined })).to.not.include('did not answer');
  });
});
