import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { post, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

const remove = { content: 'record', action: 'delete' };

describe('Deleting records from a classic project of the REDCap sandbox', () => {
  let sandbox: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(classicStudy());
  });
  afterEach(() => sandbox.close());

  for (const [form, ids] of [
    [{ 'records[0]': '2', 'records[1]': 'A-1' }, ['10']],
    [{ records: '2,A-1' }, ['10']],
    [{ records: '2', arm: '1' }, ['10', 'A-1']],
  ] as const) {
    it(`deletes whole records: ${JSON.stringify(form)}`, async () => {
      await textOf(sandbox, { ...remove, ...form });
      expect(sandbox.project.records.ids).to.have.members([...ids]);
    });
  }

  it('returns the number of records as a bare integer in any format, counting a record once', async () => {
    expect(await post(sandbox, { ...remove, 'records[0]': '2', 'records[1]': '2' })).to.deep.equal({
      status: 200,
      type: 'text/xml; charset=utf-8',
      text: '1',
    });
    expect(await post(sandbox, { ...remove, returnFormat: 'json', records: '10,A-1' })).to.deep.equal({
      status: 200,
      type: 'application/json; charset=utf-8',
      text: '2',
    });
  });

  it('deletes nothing if one of the records does not exist, and names all that do not', async () => {
    expect(await refusalOf(sandbox, { ...remove, records: '2,x,10,y' })).to.equal(
      'One or more of the records provided cannot be deleted because they do not exist in the project. The following records do not exist: x, y',
    );
    expect(sandbox.project.records.ids).to.have.length(3);
  });

  for (const [parameter, form] of [
    ['records', {}],
    ['records', { records: '' }],
    ['arm', { records: '2', arm: '2' }],
    ['instrument', { records: '2', instrument: 'nope' }],
    ['repeat_instance', { records: '2', repeat_instance: '0' }],
    ['repeat_instance', { records: '2', repeat_instance: 'new' }],
  ] as const) {
    it(`refuses ${JSON.stringify(form)}, and deletes nothing`, async () => {
      expect(await refusalOf(sandbox, { ...remove, ...form })).to.equal(
        `The value of the parameter "${parameter}" is not valid`,
      );
      expect(sandbox.project.records.ids).to.have.length(3);
    });
  }

  it('deletes the data of an instrument, and keeps the record', async () => {
    expect(await textOf(sandbox, { ...remove, records: '10', instrument: 'base' })).to.equal('1');
    expect(
      await textOf(sandbox, { content: 'record', records: '10', exportBlankForGrayFormStatus: '1' }),
    ).to.match(/\n10,,0,0,0,,,,,\n$/);
  });
});

describe('Deleting parts of records from a longitudinal project of the REDCap sandbox', () => {
  let sandbox: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(armsStudy());
    const header = 'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,drug,name\n';
    const data = `${header}1,start_arm_1,meds,2,y,\n1,start_arm_2,,,,Both\n`;
    await textOf(sandbox, { content: 'record', data });
  });
  afterEach(() => sandbox.close());

  const BASE = '1,start_arm_1,,,Ada,,';
  const OTHER_ARM = '1,start_arm_2,,,Both,,';
  const MEDS = ['1,start_arm_1,meds,1,,,x', '1,start_arm_1,meds,2,,,y'];
  const VISITS = ['1,visit_arm_1,,1,,70.0,', '1,visit_arm_1,,2,,71.5,'];
  const left = async (form: Form): Promise<string[]> => {
    await textOf(sandbox, { ...remove, records: '1', ...form });
    const text = await textOf(sandbox, { content: 'record', records: '1', fields: 'id,name,weight,drug' });
    return text.trim().split('\n').slice(1);
  };

  it('starts with all data present', async () => {
    const text = await textOf(sandbox, { content: 'record', records: '1', fields: 'id,name,weight,drug' });
    expect(text.trim().split('\n').slice(1)).to.deep.equal([BASE, OTHER_ARM, ...MEDS, ...VISITS]);
  });

  for (const [what, form, rows] of [
    ['an arm', { arm: '1' }, [OTHER_ARM]],
    ['the other arm', { arm: '2' }, [BASE, ...MEDS, ...VISITS]],
    ['an event', { event: 'visit_arm_1' }, [BASE, OTHER_ARM, ...MEDS]],
    [
      'an instance of a repeating event',
      { event: 'visit_arm_1', repeat_instance: '1' },
      [BASE, OTHER_ARM, ...MEDS, VISITS[1]],
    ],
    [
      'an instrument at an event',
      { event: 'start_arm_1', instrument: 'enrol' },
      [OTHER_ARM, ...MEDS, ...VISITS],
    ],
    [
      'the first instance of an instrument when none is named',
      { event: 'start_arm_1', instrument: 'meds' },
      [BASE, OTHER_ARM, MEDS[1], ...VISITS],
    ],
    [
      'another instance of an instrument',
      { event: 'start_arm_1', instrument: 'meds', repeat_instance: '2' },
      [BASE, OTHER_ARM, MEDS[0], ...VISITS],
    ],
    [
      'an instrument in one instance of a repeating event',
      { event: 'visit_arm_1', instrument: 'visit', repeat_instance: '2' },
      [BASE, OTHER_ARM, ...MEDS, VISITS[0]],
    ],
  ] as const) {
    it(`deletes ${what}, and nothing else`, async () => {
      expect(await left(form)).to.deep.equal(rows);
    });
  }

  it('deletes the record with its only arm', async () => {
    await textOf(sandbox, { ...remove, records: '2', arm: '2' });
    expect(sandbox.project.records.ids).to.deep.equal(['1']);
  });

  it('keeps the record without its only event', async () => {
    await textOf(sandbox, { ...remove, records: '2', event: 'start_arm_2' });
    expect(sandbox.project.records.ids).to.deep.equal(['1', '2']);
    expect(await textOf(sandbox, { content: 'record', records: '2', fields: 'id,name' })).to.equal(
      'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,name\n2,start_arm_1,,,\n',
    );
  });

  for (const [parameter, form] of [
    ['event', { event: 'nowhere_arm_1' }],
    ['event', { instrument: 'enrol' }],
    ['arm', { arm: '7' }],
  ] as const) {
    it(`refuses ${JSON.stringify(form)}`, async () => {
      expect(await refusalOf(sandbox, { ...remove, records: '1', ...form })).to.equal(
        `The value of the parameter "${parameter}" is not valid`,
      );
    });
  }
});
