import { expect } from 'chai';
import fc from 'fast-check';
import { createDemoStudy } from '../../../../src/sandbox/demo-study/demo-study.js';
import { createLongitudinalStudy } from '../../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { QualityService } from '../../../../src/services/quality/quality-service.js';
import { FORM_STATUSES } from '../../../../src/services/summary/form-counts.js';
import { StudyLists } from '../../../../src/services/summary/study-lists.js';
import { StudySummaries } from '../../../../src/services/summary/study-summaries.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { randomStudy } from '../../../support/random-summary-study.js';
import { armsStudy, longitudinalStudy } from '../../../support/studies.js';

const READER = ['project:read', 'records:read'] as const;

describe('The list behind a count', () => {
  it('GW-06: has as many rows as the count, in 200 generated studies', async () => {
    await fc.assert(
      fc.asyncProperty(randomStudy, async ({ study }) => {
        expect(await mismatchesIn(study)).to.deep.equal([]);
      }),
      { numRuns: 200 },
    );
  }).timeout(300_000);

  for (const [name, make] of [
    ['the cohort of the sandbox', createDemoStudy],
    ['the trial of the sandbox', createLongitudinalStudy],
    ['a study with two arms', armsStudy],
    ['a study with two events', longitudinalStudy],
  ] as const)
    it(`has as many rows as the count, in ${name}`, async () => {
      expect(await mismatchesIn(make())).to.deep.equal([]);
    }).timeout(120_000);
});

/** Compares every count of forms, and of records by site, with the length of its list. */
async function mismatchesIn(study: Study): Promise<string[]> {
  const started = await startSandboxClient(study);
  try {
    const lists = new StudyLists(started.client);
    const summary = await new StudySummaries(started.client, new QualityService(started.client)).summary(
      READER,
    );
    const mismatches: string[] = [];
    const compare = async (what: string, count: number | null, list: Promise<{ total: number }>) => {
      const { total } = await list;
      if (total !== count) mismatches.push(`${what}: ${count} counted, ${total} listed`);
    };
    await compare('records', summary.records, lists.page('records'));
    for (const { group: site, records } of summary.sites)
      await compare(`site ${site}`, records, lists.page('records', { site }));
    for (const [index, cell] of summary.completeness.entries()) {
      const place = { form: cell.instrument, ...(cell.event !== '' && { event: cell.event }) };
      // One status of each cell, a different one each time, and every status where there are few cells.
      for (const status of FORM_STATUSES.filter(
        (_, at) => summary.completeness.length < 7 || at === index % 4,
      )) {
        const expected = status === 'notBegun' && !cell.isExpected ? 0 : cell[status];
        const list = lists.page('forms', { ...place, statuses: [status] });
        await compare(`${cell.event} ${cell.instrument} ${status}`, expected, list);
      }
    }
    return mismatches;
  } finally {
    await started.close();
  }
}
