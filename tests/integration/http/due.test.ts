import { expect } from 'chai';
import type { DueVisit } from '../../../src/services/summary/due-visits.js';
import { createLongitudinalStudy } from '../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { TRIAL_STUDY } from '../../../src/sandbox/longitudinal-study/trial-design.js';
import { startStudyService } from '../../support/study-service.js';

describe('GET /api/v1/project/due (GW-07)', () => {
  const { schedule, optional } = TRIAL_STUDY;
  const today = LAST_DAY;
  let service: Awaited<ReturnType<typeof startStudyService>>;
  const quoted = (cell: string) => (cell.includes(' ') ? `"${cell}"` : cell);
  const due = (query = '') => service.send('get', `/project/due${query}`);

  before(async () => {
    const study = createLongitudinalStudy({ participants: 40 });
    service = await startStudyService(study, { study: { schedule, optional, today } });
  });
  after(() => service.close());

  it('lists the visits of the dashboard, as of a day', async () => {
    const { status, body } = await due('?state=overdue&dag=krakow');
    const { text: csv } = await due('?state=overdue&dag=krakow&format=csv');
    const { text: ndjson } = await due('?state=overdue&dag=krakow&format=ndjson');
    const visits = body.data as DueVisit[];

    expect(status).to.equal(200);
    expect(body).to.include({ asOf: today, hasSchedule: true });
    expect(visits).to.have.length.above(3);
    for (const { dag, state, closes, instruments } of visits) {
      expect({ dag, state }).to.deep.equal({ dag: 'krakow', state: 'overdue' });
      expect(closes < String(today)).to.equal(true);
      expect(instruments).to.be.an('array').and.not.have.length(0);
    }
    expect(
      ndjson
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).to.deep.equal(visits);
    expect(csv.trim().split('\n').slice(1)).to.deep.equal(
      visits.map(({ record, dag, event, state, day, opens, closes, instruments }) =>
        [record, dag, event, state, day, opens, closes, quoted(instruments.join(' '))].join(','),
      ),
    );
  });

  it('selects by arm, event, form and the day on which a record joined', async () => {
    const { body } = await due(
      '?arm=1&event=week_12_arm_1&instrument=vitals&from=2025-12-01&until=2026-06-30',
    );

    expect(body.data).to.not.have.length(0);
    for (const { event, instruments, joined } of body.data as DueVisit[]) {
      expect(event).to.equal('week_12_arm_1');
      expect(instruments).to.include('vitals');
      expect(joined >= '2025-12-01' && joined <= '2026-06-30').to.equal(true);
    }
  });

  for (const [query, field] of [
    ['?instrument=nonesuch', 'instrument'],
    ['?event=nonesuch_arm_1', 'event'],
    ['?arm=7', 'arm'],
    ['?from=2026-02-31', 'from'],
    ['?from=2026-02-02&until=2026-02-01', 'from'],
    ['?state=late', 'state'],
    ['?spreadsheetSafe=true&format=json', 'spreadsheetSafe'],
  ] as const)
    it(`refuses ${query}, and names the parameter`, async () => {
      const { status, body } = await due(query);
      expect(status).to.equal(400);
      expect(body.errors[0].field).to.equal(field);
    });

  it('says of a study without a schedule that it has none', async () => {
    const other = await startStudyService(createLongitudinalStudy({ participants: 2 }));
    try {
      const { body } = await other.send('get', '/project/due');
      expect(body.data).to.deep.equal([]);
      expect(body.hasSchedule).to.equal(false);
    } finally {
      await other.close();
    }
  });
});
