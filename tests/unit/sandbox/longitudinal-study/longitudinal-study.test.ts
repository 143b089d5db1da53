import { expect } from 'chai';
import { DEMO_TOKEN } from '../../../../src/sandbox/demo-study/demo-study.js';
import { LAST_DAY } from '../../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../../src/sandbox/named-study.js';
import {
  createLongitudinalStudy,
  SITE_TOKEN,
} from '../../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../../../src/sandbox/redcap/redcap-sandbox.js';

describe('The longitudinal study of the sandbox', () => {
  let sandbox: RedcapSandbox;

  before(async () => {
    sandbox = await startRedcapSandbox({ study: createLongitudinalStudy() });
  });
  after(() => sandbox.close());

  const call = async (form: Record<string, string>): Promise<Response> =>
    fetch(sandbox.url, {
      method: 'POST',
      body: new URLSearchParams({ token: DEMO_TOKEN, format: 'json', ...form }),
    });
  const rowsOf = async (form: Record<string, string>): Promise<Record<string, string>[]> =>
    (await (await call(form)).json()) as Record<string, string>[];

  it('is the same in every run, differs by seed and conforms to its own design', () => {
    expect(createLongitudinalStudy()).to.deep.equal(createLongitudinalStudy());
    expect(createLongitudinalStudy({ seed: 1 }).rows).not.to.deep.equal(createLongitudinalStudy().rows);
    expect(sandbox.notes).to.deep.equal([]);
  });

  it('has two arms, eight events, a repeating instrument and a repeating event', async () => {
    expect(await rowsOf({ content: 'arm' })).to.have.length(2);
    expect(await rowsOf({ content: 'event' })).to.have.length(8);
    const repeating = await rowsOf({ content: 'repeatingFormsEvents' });
    expect(repeating.map(({ form_name }) => form_name)).to.include.members(['', 'medication']);
    const rows = await rowsOf({ content: 'record' });
    expect(rows.some((row) => row.redcap_event_name === 'unscheduled_visit_arm_1')).to.equal(true);
    expect(rows.some((row) => row.redcap_repeat_instrument === 'medication')).to.equal(true);
  });

  it('has ids of at least twenty characters, and four sites whose users see only their own records', async () => {
    const all = await rowsOf({ content: 'record', 'fields[0]': 'record_id', exportDataAccessGroups: 'true' });
    const own = await rowsOf({ content: 'record', 'fields[0]': 'record_id', token: SITE_TOKEN });

    expect(new Set(all.map((row) => row.redcap_data_access_group)).size).to.equal(4);
    for (const { record_id = '' } of all) expect(record_id).to.have.length.at.least(20);
    expect(new Set(own.map(({ record_id }) => record_id))).to.deep.equal(
      new Set(
        all.filter((row) => row.redcap_data_access_group === 'le_havre').map(({ record_id }) => record_id),
      ),
    );
  });

  it('has answered surveys, and consent forms that can be downloaded', async () => {
    const form = { content: 'record', exportSurveyFields: 'true', 'forms[0]': 'quality_of_life' };
    const stamps = (await rowsOf(form)).map((row) => row.quality_of_life_timestamp ?? '');
    expect(stamps.filter((stamp) => stamp.startsWith('2026-'))).to.have.length.above(50);
    expect(stamps).to.include('[not completed]');

    const file = await call({
      content: 'file',
      action: 'export',
      record: 'TRIAL-2026-PARTICIPANT-0001',
      field: 'consent_form',
      event: sandbox.project.records.get('TRIAL-2026-PARTICIPANT-0001')?.rows.next().value?.event ?? '',
    });
    expect(file.headers.get('content-type')).to.equal('application/pdf; name="consent_1.pdf"');
    expect(await file.text()).to.match(/^%PDF/);
  });

  it('has reports with rows, and a log of at least a year', async () => {
    for (const report_id of ['1', '2'])
      expect(await rowsOf({ content: 'report', report_id })).to.have.length.above(0);
    const log = await rowsOf({ content: 'log' });
    const months = new Set(log.map(({ timestamp = '' }) => timestamp.slice(0, 7)));
    expect(months.size).to.be.at.least(12);
    expect(log.map(({ action = '' }) => action.split(' ')[0])).to.include.members([
      'Create',
      'Update',
      'Data',
    ]);
  });

  it('names the event and the instance of every saved form in its log, as REDCap does', async () => {
    const saved = (await rowsOf({ content: 'log', logtype: 'record_edit' })).map(
      ({ action = '', details = '' }) => `${action} ${details}`,
    );
    const ofInstances = saved.filter((text) => text.includes("drug = '"));

    expect(saved.filter((text) => !/^Update record \S+ \(.+ \(Arm [12]: \w+\)\) /.test(text))).to.be.empty;
    expect(ofInstances).to.not.be.empty;
    expect(ofInstances.filter((text) => !/\)\) \[instance = \d\], drug/.test(text))).to.be.empty;
  });

  it('has its visits entered some days later, and never after its last day', async () => {
    const saved = (await rowsOf({ content: 'log', logtype: 'record' })).flatMap(
      ({ details = '', ...row }) => {
        const visit = /visit_date = '([^']+)'/.exec(details)?.[1];
        return visit === undefined ? [] : [{ visit, entered: row['timestamp']?.slice(0, 10) ?? '' }];
      },
    );

    expect(saved).to.have.length.above(200);
    for (const { visit, entered } of saved) expect(entered >= visit && entered <= LAST_DAY).to.equal(true);
    expect(saved.filter(({ visit, entered }) => entered > visit)).to.have.length.above(100);
  });

  it('was changed at the times in its log, so that date ranges select records', async () => {
    const early = await rowsOf({
      content: 'record',
      'fields[0]': 'record_id',
      dateRangeEnd: '2026-03-01 00:00:00',
    });

    const ids = new Set(early.map(({ record_id }) => record_id));
    expect(ids.size).to.be.within(1, 119);
  });

  it('ends on the day that is said, with its design as long before', () => {
    const { log = [], rows, project } = createLongitudinalStudy({ until: '2024-02-29' });
    const days = rows.flatMap(({ visit_date: day = '' }) => (day === '' ? [] : [day])).sort();

    expect(days.at(-1)).to.equal('2024-02-27');
    expect(days[0]).to.equal('2023-03-01');
    expect(log.map(({ at }) => at.slice(0, 10)).sort()).to.satisfy(
      (all: string[]) => all.at(-1) === '2024-02-29',
    );
    expect(project.creationTime).to.equal('2023-02-27 09:00:00');
  });

  it('ends on the day before today by default, so that no entry of its log is of the future', async () => {
    const yesterday = (): string => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const before = yesterday();
    const { log = [] } = await createNamedStudy({ study: 'longitudinal' });

    expect([before, yesterday()]).to.include(log.at(-1)?.at.slice(0, 10));
  });

  it('is one of two named studies, and the classic one does not number its records', async () => {
    expect((await createNamedStudy({ study: 'longitudinal', until: LAST_DAY })).project.title).to.equal(
      'Trial 2026 (synthetic)',
    );
    const classic = await createNamedStudy({ study: 'classic', until: LAST_DAY });
    expect(classic.project.title).to.equal('Cohort 2026 (synthetic)');
    expect(classic.project.settings?.record_autonumbering_enabled).to.equal(0);
  });
});
