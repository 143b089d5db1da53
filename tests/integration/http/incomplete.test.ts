import { expect } from 'chai';
import type { ListedForm } from '../../../src/services/summary/listed-forms.js';
import { createLongitudinalStudy } from '../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import { TRIAL_STUDY } from '../../../src/sandbox/longitudinal-study/trial-design.js';
import { startStudyService } from '../../support/study-service.js';

describe('GET /api/v1/project/incomplete (GW-07)', () => {
  let service: Awaited<ReturnType<typeof startStudyService>>;
  const incomplete = (query = '') => service.send('get', `/project/incomplete${query}`);
  const formsOf = async (query = '') => (await incomplete(query).expect(200)).body.data as ListedForm[];

  before(async () => {
    service = await startStudyService(createLongitudinalStudy({ participants: 20 }), {
      study: { schedule: TRIAL_STUDY.schedule, optional: TRIAL_STUDY.optional },
    });
  });
  after(() => service.close());

  it('lists the forms on which there is something to do, by record, event and instrument', async () => {
    const forms = (await service.send('get', '/project/incomplete')).body.data as ListedForm[];
    const [records, { data: events }, { data: instruments }] = await Promise.all([
      service.client.exportRecords({ fields: ['record_id'] }),
      service.send('get', '/project/events').then(({ body }) => body),
      service.send('get', '/project/instruments').then(({ body }) => body),
    ]);
    const orderOf = (names: readonly string[]) => new Map(names.map((name, index) => [name, index]));
    const [byRecord, byEvent, byForm] = [
      orderOf([...new Set(records.map((row) => String(row['record_id'])))]),
      orderOf((events as { uniqueName: string }[]).map(({ uniqueName }) => uniqueName)),
      orderOf((instruments as { name: string }[]).map(({ name }) => name)),
    ];
    const places = forms.map(({ record, event, instrument }) => [
      byRecord.get(record) ?? NaN,
      byEvent.get(event) ?? NaN,
      byForm.get(instrument) ?? NaN,
    ]);

    expect([...new Set(forms.map(({ status }) => status))].sort()).to.deep.equal([
      'incomplete',
      'notBegun',
      'unverified',
    ]);
    expect(places).to.deep.equal(
      places.toSorted(([a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0]) => a - d || b - e || c - f),
    );
  });

  it('has the same forms as lines and as CSV, up to a limit, and says at the end that they are whole', async () => {
    const forms = await formsOf('?limit=5');
    const { text: csv } = await incomplete('?limit=5&format=csv');
    const { text: ndjson } = await incomplete('?limit=5&format=ndjson&trailer=true');
    const cells = ({ record, dag, event, instrument, instance, status, joined }: ListedForm) =>
      [record, dag, event, instrument, instance, status, joined].join(',');

    expect(forms).to.have.length(5);
    expect(csv.trim().split('\n')).to.deep.equal([
      'record,dag,event,instrument,instance,status,joined',
      ...forms.map(cells),
    ]);
    expect(
      ndjson
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).to.deep.equal([...forms, { _complete: true, records: 5 }]);
  });

  it('selects by group, event, instrument and status', async () => {
    const all = await formsOf();
    for (const [query, isChosen] of [
      ['?dag=krakow', ({ dag }) => dag === 'krakow'],
      ['?event=week_12_arm_1', ({ event }) => event === 'week_12_arm_1'],
      ['?instrument=vitals', ({ instrument }) => instrument === 'vitals'],
      ['?status=notBegun', ({ status }) => status === 'notBegun'],
    ] as readonly [string, (instrument: ListedForm) => boolean][]) {
      const chosen = await formsOf(query);

      expect(chosen, query).to.deep.equal(all.filter(isChosen)).and.not.have.length(0);
    }
  });

  for (const [query, field] of [
    ['?instrument=nonesuch', 'instrument'],
    ['?event=nonesuch_arm_1', 'event'],
    ['?status=complete', 'status'],
    ['?trailer=true', 'trailer'],
    ['?limit=0', 'limit'],
    ['?spreadsheetSafe=true&format=json', 'spreadsheetSafe'],
  ] as const)
    it(`refuses ${query}, and names the parameter`, async () => {
      const { body } = await incomplete(query).expect(400);
      expect(body.errors[0].field).to.equal(field);
    });
});
