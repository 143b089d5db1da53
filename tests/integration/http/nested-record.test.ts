import { expect } from 'chai';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

describe('A record as one document', () => {
  let service: StudyService;
  before(async () => {
    service = await startStudyService(longitudinalStudy());
  });
  after(() => service.close());
  const nested = (query = '', id = 'A-1') => service.send('get', `/records/${id}?shape=nested${query}`);

  it('has events with their instruments and the entered values', async () => {
    const { body } = await nested('&values=typed').expect(200);

    const meds = (instance: number, drug: string) => ({ instance, values: { drug, meds_complete: '0' } });
    expect(body).to.deep.equal({
      data: {
        record: 'A-1',
        events: [
          {
            event: 'start_arm_1',
            instruments: [
              {
                instrument: 'base',
                instances: [{ instance: null, values: { age: 40, sites: ['1'], base_complete: '0' } }],
              },
              {
                instrument: 'visit',
                instances: [{ instance: null, values: { pulse: 60, visit_complete: '0' } }],
              },
              { instrument: 'meds', instances: [meds(1, 'drug x'), meds(2, 'drug y')] },
            ],
          },
          {
            event: 'end_arm_1',
            instruments: [
              {
                instrument: 'visit',
                instances: [{ instance: null, values: { pulse: 70, visit_complete: '0' } }],
              },
            ],
          },
        ],
      },
    });
  });

  it("contains REDCap's stored text without typed values", async () => {
    const { body } = await nested('&fields=pulse&events=end_arm_1').expect(200);

    expect(body.data.events).to.deep.equal([
      {
        event: 'end_arm_1',
        instruments: [{ instrument: 'visit', instances: [{ instance: null, values: { pulse: '70' } }] }],
      },
    ]);
  });

  it('is the same from the client library, with types', async () => {
    const { body } = await nested('&values=typed&forms=meds');

    expect(await service.client.getRecord('A-1', { forms: ['meds'] })).to.deep.equal(body.data);
  });

  it('has one instance per repeat of a whole event, and one event in a classic project', async () => {
    const arms = await startStudyService(armsStudy());
    const { body } = await arms.send('get', '/records/1?shape=nested&values=typed&forms=visit&forms=enrol');
    const other = await arms.send('get', '/records/2?shape=nested&values=typed&missing=null');
    await arms.close();
    const classic = await startStudyService(classicStudy());
    const { body: plain } = await classic.send('get', '/records/2?shape=nested&values=typed');
    await classic.close();

    const [, visit] = body.data.events;
    expect(visit.event).to.equal('visit_arm_1');
    expect(
      visit.instruments[0].instances.map(({ instance }: { instance: number }) => instance),
    ).to.deep.equal([1, 2]);
    expect(other.body.data.events[0].instruments[0].instances[0].values).to.include({ name: null });
    expect(plain.data.events).to.have.length(1);
    expect(plain.data.events[0]).to.include({ event: '' });
    expect(plain.data.events[0].instruments[0].instances[0].values).to.include({
      born: '1996-02-29',
      age: 30,
    });
  });

  it('shows an instrument that is not begun', async () => {
    const study = longitudinalStudy();
    const rows = [{ id: 'B', redcap_event_name: 'start_arm_1', age: '1' }];
    const other = await startStudyService({ ...study, rows });
    const { body } = await other.send('get', '/records/B?shape=nested');
    await other.close();

    expect(body.data.events).to.have.length(1);
    expect(body.data.events[0].instruments.slice(1)).to.deep.equal([
      { instrument: 'visit', instances: [] },
      { instrument: 'meds', instances: [] },
    ]);
  });

  it('is 404 for an unknown record', async () => {
    const { body } = await nested('', 'nobody').expect(404);

    expect(body.code).to.equal('record_not_found');
  });

  for (const [query, field] of [
    ['shape=nested&type=eav', 'type'],
    ['shape=nested&rawOrLabel=label', 'rawOrLabel'],
    ['values=typed&combineCheckboxOptions=true', 'combineCheckboxOptions'],
    ['shape=nested&labels=true', 'labels'],
  ] as const) {
    it(`is refused with ${query}`, async () => {
      const { body } = await service.send('get', `/records/A-1?${query}`).expect(400);

      expect(body.errors[0].field).to.equal(field);
    });
  }

  it('accepts options with their default values', async () => {
    const query = 'values=typed&combineCheckboxOptions=false&exportCheckboxLabel=false';

    await service.send('get', `/records/A-1?${query}`).expect(200);
  });

  it('is a list of typed rows unless a document is requested', async () => {
    const { body } = await service.send('get', '/records/A-1?values=typed&forms=visit&events=end_arm_1');

    expect(body.data[0]).to.include({ pulse: 70 });
  });
});
