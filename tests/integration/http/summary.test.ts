import { expect } from 'chai';
import type { StudySummary } from '../../../src/services/summary/study-summary.js';
import { createCrfClient } from '../../../src/client.js';
import { startService, keyWith, type TestService } from '../../support/start-service.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { createLongitudinalStudy } from '../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { TRIAL_STUDY } from '../../../src/sandbox/longitudinal-study/trial-design.js';
import type { StudyOptions } from '../../../src/services/summary/study-options.js';
import { startStudyService } from '../../support/study-service.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';

async function withStudy<T>(study: Study, work: (service: TestService) => Promise<T>): Promise<T> {
  const sandbox = await startTestSandbox(study);
  const client = createCrfClient({ url: sandbox.url, token: sandbox.token });
  const service = await startService({ capture: client });
  try {
    return await work(service);
  } finally {
    await service.close();
    await sandbox.close();
  }
}

async function summaryOf(service: Pick<TestService, 'url' | 'authorization'>): Promise<StudySummary> {
  const answer = await fetch(`${service.url}/api/v1/project/summary`, {
    headers: { authorization: service.authorization },
  });
  expect(answer.status).to.equal(200);
  return ((await answer.json()) as { data: StudySummary }).data;
}

describe('GET /api/v1/project/summary', () => {
  it('counts a classic study: statuses, empty values, days', async () => {
    const summary = await withStudy(classicStudy(), summaryOf);

    expect(summary).to.deep.include({ records: 3, isLongitudinal: false, smallCell: 0 });
    expect(summary.recruitment).to.include({ dateField: 'born', isChosen: false, undated: 2 });
    expect(summary.completeness).to.have.length(1);
    expect(summary.completeness[0]).to.include({
      instrument: 'base',
      records: 3,
      complete: 1,
      incomplete: 2,
      notBegun: 0,
    });
    const weight = summary.missing.find(({ field }) => field === 'weight');
    expect(weight).to.include({ shown: 3, missing: 2, percent: 66.7 });
    expect(summary.missing.map(({ field }) => field)).to.not.include.members(['id', 'intro', 'twice']);
  });

  it('counts repeating forms at their events, and records without any', async () => {
    const { completeness, records } = await withStudy(longitudinalStudy(), summaryOf);

    expect(records).to.equal(1);
    const meds = completeness.find(({ instrument }) => instrument === 'meds');
    expect(meds).to.include({ event: 'start_arm_1', isRepeating: true, incomplete: 2, notBegun: 0 });
    expect(completeness.map(({ event, instrument }) => `${event} ${instrument}`)).to.deep.equal([
      'start_arm_1 base',
      'start_arm_1 visit',
      'end_arm_1 visit',
      'start_arm_1 meds',
    ]);
  });

  it('compares records with the events of their own arm', async () => {
    const { completeness } = await withStudy(armsStudy(), summaryOf);
    const at = (event: string, instrument: string) =>
      completeness.find((cell) => cell.event === event && cell.instrument === instrument);

    expect(at('start_arm_1', 'enrol')).to.include({ records: 1, complete: 1, notBegun: 0 });
    expect(at('start_arm_2', 'enrol')).to.include({ records: 1 });
    expect(at('visit_arm_1', 'visit')).to.include({ records: 1, isRepeating: true, incomplete: 2 });
  });

  it('is empty for an empty study', async () => {
    const summary = await withStudy({ ...classicStudy(), rows: [] }, summaryOf);

    expect(summary).to.deep.include({ records: 0, missing: [], missingPercent: null });
    expect(summary.recruitment.months).to.deep.equal([]);
    expect(summary.completeness[0]).to.include({ records: 0, notBegun: 0 });
  });

  it('counts a value as missing only if branching logic shows its field', async () => {
    const study = classicStudy();
    const fields = study.fields.map((field) =>
      field.name === 'weight' ? { ...field, branchingLogic: '[sex] = "1"' } : field,
    );

    const { missing } = await withStudy({ ...study, fields }, summaryOf);

    // Only record 10 has sex 1, and it has a weight.
    expect(missing.find(({ field }) => field === 'weight')).to.equal(undefined);
  });

  describe('says how many days pass until a visit is entered', () => {
    const mayReadLog = keyWith('project:read', 'records:read', 'log:read');
    const others = [keyWith('project:read', 'records:read'), keyWith('project:read', 'log:read')];
    const apiKeys = [mayReadLog, ...others].map(({ apiKey }) => apiKey);
    const daysOf = async (
      schedule: StudyOptions['schedule'],
      keys: readonly { readonly authorization: string }[],
    ): Promise<{ readonly days: (number | null)[][]; readonly logReads: number }> => {
      const trial = createLongitudinalStudy({ participants: 40 });
      const service = await startStudyService(trial, {
        access: { apiKeys },
        study: { schedule, today: LAST_DAY },
      });
      try {
        const days = [];
        for (const key of keys)
          days.push((await summaryOf({ ...service, ...key })).dags.map(({ daysToEntry }) => daysToEntry));
        const read = service.project.log
          .newestFirst()
          .filter(({ details }) => details === 'Export Logging (API)');
        return { days, logReads: read.length };
      } finally {
        await service.close();
      }
    };

    it('in each data access group, to callers who may read records and the log, with one look at the log', async () => {
      const { days, logReads } = await daysOf(TRIAL_STUDY.schedule, [mayReadLog, mayReadLog]);

      expect(days[0]).to.have.length(4);
      for (const each of days[0] ?? []) expect(each).to.be.within(0, 6);
      expect(new Set(days[0]).size).to.be.above(1);
      expect(days[1]).to.deep.equal(days[0]);
      expect(logReads).to.equal(1);
    });

    it('to nobody else, and not without the field of the date, with no look at the log', async () => {
      const { visitDate: _, ...schedule } = TRIAL_STUDY.schedule;
      const nothing = [null, null, null, null];

      expect(await daysOf(TRIAL_STUDY.schedule, others)).to.deep.equal({
        days: [nothing, nothing],
        logReads: 0,
      });
      expect(await daysOf(schedule, [mayReadLog])).to.deep.equal({ days: [nothing], logReads: 0 });
    });

    it('but not if the user of the token may not read the log', async () => {
      const trial = createLongitudinalStudy({ participants: 8 });
      const users = trial.users.map((user) => ({ ...user, rights: { ...user.rights, logging: 0 } }));
      const { schedule } = TRIAL_STUDY;
      const today = LAST_DAY;
      const service = await startStudyService({ ...trial, users }, { study: { schedule, today } });
      const { dags } = await summaryOf(service).finally(() => service.close());

      expect(dags.map(({ records, daysToEntry }) => [records, daysToEntry])).to.deep.equal(
        Array.from({ length: 4 }, () => [2, null]),
      );
    });
  });

  describe('on the demo study', () => {
    let service: TestService;
    let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
    const reader = keyWith('project:read');
    const everybody = keyWith('project:read', 'records:read');
    before(async () => {
      sandbox = await startTestSandbox(createDemoStudy());
      service = await startService({
        capture: createCrfClient({ url: sandbox.url, token: sandbox.token }),
        access: { apiKeys: [reader.apiKey, everybody.apiKey] },
        study: { start: '2026-01-01', end: '2026-12-31', target: 300 },
      });
    });
    after(async () => {
      await service.close();
      await sandbox.close();
    });

    const get = (path: string, authorization = everybody.authorization, headers = {}) =>
      fetch(`${service.url}/api/v1/project/summary${path}`, { headers: { authorization, ...headers } });

    it('is not sent again to a client that has it', async () => {
      const first = await get('');
      const etag = first.headers.get('etag') ?? '';
      await first.text();

      const again = await get('', everybody.authorization, { 'if-none-match': etag });

      expect([again.status, await again.text()]).to.deep.equal([304, '']);
    });

    it('reads REDCap once for concurrent requests', async () => {
      const times = await Promise.all(
        Array.from(
          { length: 8 },
          async () => ((await (await get('')).json()) as { data: StudySummary }).data.madeAt,
        ),
      );

      expect(new Set(times).size).to.equal(1);
    });

    it('withholds small counts without the right to read records', async () => {
      const { data } = (await (await get('', reader.authorization)).json()) as { data: StudySummary };

      expect(data).to.include({ smallCell: 5, records: 250 });
      expect(data.recruitment.weeks).to.deep.equal([]);
      const counts = data.completeness.flatMap(({ complete, unverified, incomplete, notBegun }) => [
        complete,
        unverified,
        incomplete,
        notBegun,
      ]);
      expect(counts.filter((count) => count !== null && count > 0 && count < 5)).to.deep.equal([]);
    });

    it('returns a distribution with median and range, without the range if records:read is missing', async () => {
      const full = ((await (await get('/fields/age')).json()) as { data: Record<string, unknown> }).data;
      const shown = (
        (await (await get('/fields/age', reader.authorization)).json()) as { data: Record<string, unknown> }
      ).data;

      expect(full).to.include({ kind: 'numbers', n: 239, missing: 11, min: 16, max: 92 });
      expect(shown).to.include({ n: 239, missing: 11, min: null, max: null, median: full['median'] });
    });

    it('reveals only how often an identifier is filled in', async () => {
      const { data } = (await (await get('/fields/first_name')).json()) as { data: Record<string, unknown> };

      expect(data).to.deep.include({
        kind: 'presence',
        n: 250,
        missing: 0,
        median: null,
        bins: [],
        choices: [],
      });
    });

    it('refuses an unknown field', async () => {
      const answer = await get('/fields/nonesuch');

      expect(answer.status).to.equal(404);
      expect(((await answer.json()) as { code: string }).code).to.equal('name_not_found');
    });
  });
});
