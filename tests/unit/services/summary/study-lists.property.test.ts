import { expect } from 'chai';
import fc from 'fast-check';
import { createDemoStudy } from '../../../../src/sandbox/demo-study/demo-study.js';
import { createLongitudinalStudy } from '../../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { VISIT_STATES } from '../../../../src/services/summary/due-visits.js';
import { FORM_STATUSES } from '../../../../src/services/summary/form-counts.js';
import type { StudyFilter } from '../../../../src/services/summary/chosen-records.js';
import type { CompletenessCell } from '../../../../src/services/summary/study-summary.js';
import type { QualityRule } from '../../../../src/records/rules/quality-finding.js';
import { StudyLists } from '../../../../src/services/summary/study-lists.js';
import type { StudyOptions } from '../../../../src/services/summary/study-options.js';
import { StudySummaries } from '../../../../src/services/summary/study-summaries.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { randomStudy } from '../../../support/random-summary-study.js';
import { armsStudy, longitudinalStudy } from '../../../support/studies.js';

const READER = ['project:read', 'records:read'] as const;

describe('The list behind a count', () => {
  it('GW-06: has as many rows as the count, in 50 generated studies', async () => {
    await fc.assert(
      fc.asyncProperty(randomStudy, async ({ study }) => {
        expect(await mismatchesIn(study)).to.deep.equal([]);
      }),
      { numRuns: 50 },
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

/** A plan with one form that is optional, and a visit at every event, counted from the date of joining. */
function planOf({ fields, instruments, events = [] }: Study): StudyOptions {
  const anchor = fields.find(({ validationType }) => validationType === 'date_ymd')?.name ?? '';
  const visits = events.map(({ uniqueName }, index) => [
    uniqueName,
    { day: 28 * index, before: 3, after: 3 },
  ]);
  return {
    optional: { forms: instruments.slice(1, 2).map(({ name }) => name), events: [] },
    schedule: { anchor, visits: Object.fromEntries(visits) as Record<string, never> },
    today: '2026-02-10',
  };
}

/** A filter that selects part of the study: now by data access group and event, now by arm and day of joining. */
function filterFor({ groups = [], events, rows }: Study): StudyFilter {
  const [event] = events;
  if (rows.length % 2 === 0) return { dag: groups[0]?.uniqueName ?? '', event: event?.uniqueName };
  return { arm: event?.arm, from: '2026-01-20', until: '2026-06-30' };
}

/** Compares every count of forms, visits and findings, and those by data access group, with the length of its list. */
async function mismatchesIn(study: Study): Promise<string[]> {
  const started = await startSandboxClient(study);
  try {
    const plan = planOf(study);
    const lists = new StudyLists(started.client, plan);
    const summaries = new StudySummaries(started.client, lists, plan);
    const mismatches: string[] = [];
    const compare = async (what: string, count: number | null, list: Promise<{ total: number }>) => {
      const { total } = await list;
      if (total !== count) mismatches.push(`${what}: ${count} counted, ${total} listed`);
    };
    const compareAll = async (filter: StudyFilter): Promise<void> => {
      const summary = await summaries.summary(READER, filter);
      const { event: _event, ...ofRecords } = filter;
      const where = JSON.stringify(filter);
      await compare(`${where} records`, summary.records, lists.page('records', ofRecords));
      const quality = await summaries.quality(READER, filter);
      await compare(`${where} findings`, quality?.findings ?? null, lists.page('findings', filter));
      const recent = await summaries.recent([...READER, 'log:read'], filter);
      const changed = { ...filter, changedFrom: recent?.since };
      await compare(`${where} recent`, recent?.findings ?? null, lists.page('findings', changed));
      for (const [rule, count] of Object.entries(quality?.rules ?? {}).filter(([, found]) => found > 0))
        await compare(
          `${where} ${rule}`,
          count,
          lists.page('findings', { ...filter, rule: rule as QualityRule }),
        );
      for (const { dag, records, forms, complete } of summary.dags) {
        if (filter.dag !== undefined && filter.dag !== dag) continue;
        const ofDag = { ...filter, dag };
        await compare(`${where} dag ${dag}`, records, lists.page('records', { ...ofRecords, dag }));
        await compare(`${where} forms at ${dag}`, forms, lists.page('forms', ofDag));
        await compare(
          `${where} complete at ${dag}`,
          complete,
          lists.page('forms', { ...ofDag, statuses: ['complete'] }),
        );
        const found = quality?.byDag.get(dag) ?? 0;
        await compare(`${where} findings at ${dag}`, found, lists.page('findings', ofDag));
        const isNew = recent?.byDag.get(dag) ?? 0;
        await compare(`${where} recent at ${dag}`, isNew, lists.page('findings', { ...changed, dag }));
      }
      for (const [index, cell] of summary.completeness.entries())
        await compareCell(index, cell, summary.completeness.length, filter);
    };
    const compareCell = async (
      index: number,
      cell: CompletenessCell,
      cells: number,
      filter: StudyFilter,
    ): Promise<void> => {
      const place = {
        ...filter,
        instrument: cell.instrument,
        ...(cell.event !== '' && { event: cell.event }),
      };
      // One status of each cell, a different one each time, and every status where there are few cells.
      for (const status of FORM_STATUSES.filter((_, at) => cells < 7 || at === index % 4)) {
        const expected = status === 'notBegun' && !cell.isExpected ? 0 : cell[status];
        const list = lists.page('forms', { ...place, statuses: [status] });
        await compare(`${JSON.stringify(filter)} ${cell.event} ${cell.instrument} ${status}`, expected, list);
      }
    };
    await compareAll({});
    await compareAll(filterFor(study));
    const { total, visitsByDag } = await lists.page('due');
    let visits = 0;
    for (const [dag, counts] of visitsByDag)
      for (const state of VISIT_STATES) {
        await compare(`${state} at ${dag}`, counts[state], lists.page('due', { dag, state }));
        visits += counts[state];
      }
    if (visits !== total) mismatches.push(`visits: ${visits} counted, ${total} listed`);
    return mismatches;
  } finally {
    await started.close();
  }
}
