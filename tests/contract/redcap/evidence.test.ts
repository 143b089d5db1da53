import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { jsonOf, textOf, type TestSandbox } from './wire.js';

const record = { content: 'record' };

/** The observed behaviour of real servers that the sandbox had missed: docs/protocol/redcap.md 20. */
describe('The REDCap sandbox, compared with observed real servers', () => {
  let sandbox: TestSandbox | undefined;

  afterEach(() => sandbox?.close());

  const start = async (study: ReturnType<typeof classicStudy>): Promise<TestSandbox> => {
    sandbox = await startTestSandbox(study);
    return sandbox;
  };

  it('has a row for each event that an import names, even without other values', async () => {
    const longitudinal = await start(longitudinalStudy());

    await textOf(longitudinal, { ...record, data: 'id,redcap_event_name\nB,start_arm_1\nB,end_arm_1\n' });

    const text = await textOf(longitudinal, { ...record, records: 'B', fields: 'id,pulse' });
    expect(text).to.equal(
      'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,pulse\nB,start_arm_1,,,\nB,end_arm_1,,,\n',
    );
  });

  it('skips file columns in an import, and stores the rest of the row', async () => {
    const arms = await start(armsStudy());
    const row = { id: '9', redcap_event_name: 'start_arm_1', consent: '[document]', name: 'New' };

    await jsonOf(arms, { ...record, data: JSON.stringify([row]) });

    expect(await textOf(arms, { ...record, records: '9', fields: 'name,consent' })).to.equal(
      'name,consent\nNew,\n',
    );
  });

  it('accepts dates as they are stored in addition to the format in force', async () => {
    const classic = await start(classicStudy());

    await textOf(classic, { ...record, dateFormat: 'MDY', data: 'id,born\n2,1999-12-31\n10,12/30/1999\n' });

    expect(await textOf(classic, { ...record, records: '2,10', fields: 'born' })).to.equal(
      'born\n1999-12-31\n1999-12-30\n',
    );
  });

  it('calculates with decimal commas, and stores the result with a point', async () => {
    const study = classicStudy();
    const fields = study.fields.map((field) =>
      field.name === 'weight' ? { ...field, validationType: 'number_comma_decimal' } : field,
    );
    const doubled = fields.map((field) =>
      field.name === 'twice' ? { ...field, choicesOrCalculations: '[weight] * 2' } : field,
    );
    const classic = await start({ ...study, fields: doubled, rows: [] });

    await textOf(classic, { ...record, data: 'id,weight\n1,"11,05"\n' });

    expect(await textOf(classic, { ...record, fields: 'twice' })).to.equal('twice\n22.1\n');
  });

  it('keeps the calculated values of a study, including blank ones', async () => {
    const classic = await start({
      ...classicStudy(),
      rows: [
        { id: '1', age: '20', twice: '99' },
        { id: '2', age: '30', twice: '' },
      ],
    });

    expect(await textOf(classic, { ...record, fields: 'id,twice' })).to.equal('id,twice\n1,99\n2,\n');
  });

  it('treats a form with only unticked checkboxes as never saved', async () => {
    const classic = await start({ ...classicStudy(), rows: [] });
    await textOf(classic, { ...record, data: 'id,sites___1\n1,0\n' });

    const text = await textOf(classic, {
      ...record,
      fields: 'base_complete',
      exportBlankForGrayFormStatus: 'TRUE',
    });

    expect(text).to.equal('base_complete\n\n');
  });

  it('keeps the names that were sent if the project does not number its records', async () => {
    const study = classicStudy();
    const settings = { record_autonumbering_enabled: 0 };
    const classic = await start({ ...study, project: { ...study.project, settings } });
    const data = JSON.stringify([{ id: 'Z-9', age: '1' }]);

    const pairs = await jsonOf(classic, {
      ...record,
      data,
      forceAutoNumber: 'true',
      returnContent: 'auto_ids',
    });

    expect(pairs).to.deep.equal(['Z-9,Z-9']);
  });

  it('returns the offsets of events while scheduling is enabled', async () => {
    const study = longitudinalStudy();
    const settings = { scheduling_enabled: 1 };
    const longitudinal = await start({ ...study, project: { ...study.project, settings } });

    const [event] = (await jsonOf(longitudinal, { content: 'event' })) as Record<string, unknown>[];

    expect(event).to.include({ day_offset: 0, offset_min: 0, offset_max: 0 });
  });
});
