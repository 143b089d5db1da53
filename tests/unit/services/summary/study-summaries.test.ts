import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { UpstreamRejectedError } from '../../../../src/domain/errors/upstream-errors.js';
import { StudyLists } from '../../../../src/services/summary/study-lists.js';
import { createDemoStudy } from '../../../../src/sandbox/demo-study/demo-study.js';
import type { StudyFilter } from '../../../../src/services/summary/chosen-records.js';
import { StudySummaries } from '../../../../src/services/summary/study-summaries.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { classicStudy } from '../../../support/studies.js';

/** Waits for something that happens in the background. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

describe('StudySummaries', () => {
  it('recounts a distribution after a minute, however often it is requested', async () => {
    const started = await startSandboxClient(classicStudy());
    const { client } = started;
    let now = Date.parse('2026-11-20T20:00:00Z');
    const summaries = new StudySummaries(client, new StudyLists(client), {}, () => new Date(now));
    const madeAt: string[] = [];
    for (const seconds of [0, 40, 30]) {
      now += seconds * 1_000;
      madeAt.push((await summaries.distribution({ field: 'age' }, ['records:read'])).madeAt.slice(11, 19));
    }
    await started.close();

    expect(madeAt).to.deep.equal(['20:00:00', '20:00:00', '20:01:10']);
  });

  it('counts a study without records, whose export has no header', async () => {
    const started = await startSandboxClient({ ...classicStudy(), rows: [] });
    const summaries = new StudySummaries(started.client, new StudyLists(started.client));
    const { records, completeness } = await summaries
      .summary(['records:read'])
      .finally(() => started.close());

    expect(records).to.equal(0);
    expect(completeness.map(({ instrument, notBegun }) => [instrument, notBegun])).to.deep.equal([
      ['base', 0],
    ]);
  });

  it('labels choices without HTML', async () => {
    const study = classicStudy();
    const fields = study.fields.map((field) =>
      field.name === 'sex' ? { ...field, choicesOrCalculations: '1, <b>Woman</b> | 2, Man' } : field,
    );
    const started = await startSandboxClient({ ...study, fields });
    const { client } = started;
    const summaries = new StudySummaries(client, new StudyLists(client));
    const { choices } = await summaries
      .distribution({ field: 'sex' }, ['records:read'])
      .finally(() => started.close());

    expect(choices.map(({ label }) => label)).to.deep.equal(['Woman', 'Man']);
  });

  it('GW-08: has figures of two parts that add up to those of the whole study', async () => {
    const started = await startSandboxClient(createDemoStudy());
    const { client } = started;
    const summaries = new StudySummaries(client, new StudyLists(client));
    const figuresOf = async (filter: StudyFilter) => {
      const [summary, quality, { n, missing }] = await Promise.all([
        summaries.summary(['records:read'], filter),
        summaries.quality(['records:read'], filter),
        summaries.distribution({ field: 'age', filter }, ['records:read']),
      ]);
      const forms = summary.completeness.map(({ complete, notBegun }) => [complete ?? 0, notBegun ?? 0]);
      return [
        summary.records ?? 0,
        quality?.findings ?? 0,
        quality?.records ?? 0,
        n ?? 0,
        missing ?? 0,
        ...forms.flat(),
      ];
    };
    const [whole, early, late] = await Promise.all([
      figuresOf({}),
      figuresOf({ until: '2026-05-31' }),
      figuresOf({ from: '2026-06-01' }),
    ]).finally(() => started.close());

    expect(early.map((figure, index) => figure + (late[index] ?? 0))).to.deep.equal(whole);
    expect(early[0]).to.be.within(1, 249);
    expect(early[1]).to.be.above(0);
  });

  it('GW-08: counts no part of the study for callers who may not read records', async () => {
    const started = await startSandboxClient(classicStudy());
    const summaries = new StudySummaries(started.client, new StudyLists(started.client));
    const filter = { until: '2026-05-31' };
    const refused = await Promise.allSettled([
      summaries.summary(['project:read'], filter),
      summaries.distribution({ field: 'age', filter }, ['project:read']),
    ]).finally(() => started.close());

    for (const outcome of refused)
      expect(outcome).to.have.nested.property('reason.code', 'insufficient_scope');
  });

  it('keeps the figures of the last success while REDCap is away, however old, and says since when', async () => {
    const started = await startSandboxClient(classicStudy());
    let now = Date.parse('2026-11-20T20:00:00Z');
    let isAway = false;
    const source = Object.create(started.client, {
      openRecords: {
        value: (...request: Parameters<typeof started.client.openRecords>) =>
          isAway
            ? Promise.reject(new UpstreamRejectedError('REDCap is away.'))
            : started.client.openRecords(...request),
      },
    }) as typeof started.client;
    const summaries = new StudySummaries(source, new StudyLists(source), {}, () => new Date(now));
    const madeAt = async (): Promise<string> => (await summaries.summary(['records:read'])).madeAt;
    try {
      const first = await madeAt();
      isAway = true;
      for (const hours of [1, 30]) {
        now += hours * 3_600_000;
        expect(await madeAt()).to.equal(first);
        await until(() => summaries.failedAt(['records:read']) === new Date(now).toISOString());
      }
      isAway = false;
      now += 3_600_000;
      await madeAt();
      await until(() => summaries.failedAt(['records:read']) === undefined);
      expect(await madeAt()).to.equal(new Date(now).toISOString());
    } finally {
      await started.close();
    }
  });
});
