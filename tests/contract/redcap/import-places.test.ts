import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { jsonOf, refusalOf, textOf, type TestSandbox } from './wire.js';

const record = { content: 'record' };
const eav = { content: 'record', type: 'eav' };

describe('The place where a record import stores its rows', () => {
  let sandbox: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(armsStudy());
  });
  afterEach(() => sandbox.close());

  const rows = async (id: string, fields: string): Promise<string[]> =>
    (await textOf(sandbox, { ...record, records: id, fields: `id,${fields}` })).trim().split('\n').slice(1);

  it('is the first event without an event column', async () => {
    await textOf(sandbox, { ...record, data: 'id,name\n9,Eve\n' });

    expect(await rows('9', 'name')).to.deep.equal(['9,start_arm_1,,,Eve']);
  });

  it('is not an unknown event, each of which is named once', async () => {
    expect(
      await refusalOf(sandbox, {
        ...record,
        data: '[{"id":"9","redcap_event_name":"v8"},{"id":"9","redcap_event_name":"v9"},{"id":"8","redcap_event_name":"v8"}]',
      }),
    ).to.equal('The following values of redcap_event_name are invalid: v8, v9');
  });

  it('is the next free instance for `new`, even several in a row', async () => {
    const header = 'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,drug,weight\n';
    const data = `${header}1,start_arm_1,meds,new,y,\n1,start_arm_1,meds,new,z,\n1,visit_arm_1,,new,,72.0\n`;

    expect(await textOf(sandbox, { ...record, data })).to.equal('1');
    expect(await rows('1', 'drug,weight')).to.deep.equal([
      '1,start_arm_1,,,,',
      '1,start_arm_1,meds,1,,x',
      '1,start_arm_1,meds,2,,y',
      '1,start_arm_1,meds,3,,z',
      '1,visit_arm_1,,1,70.0,',
      '1,visit_arm_1,,2,71.5,',
      '1,visit_arm_1,,3,72.0,',
    ]);
  });

  it('is nowhere for a row with only an instance, unless the record has no row yet', async () => {
    const header = 'id,redcap_event_name,redcap_repeat_instance,weight\n';
    await textOf(sandbox, { ...record, data: `${header}1,visit_arm_1,7,\n9,visit_arm_1,7,\n` });

    expect(await rows('1', 'weight')).to.have.length(3);
    expect(await rows('9', 'weight')).to.deep.equal(['9,visit_arm_1,,7,']);
  });

  it('is the same whichever row comes first, in one call or in two', async () => {
    const header = 'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,drug\n';
    const [alone, instance] = ['start_arm_1,,,\n', 'start_arm_1,meds,1,x\n'];
    const calls = [
      [`a,${alone}a,${instance}`],
      [`b,${instance}b,${alone}`],
      [`c,${alone}`, `c,${instance}`],
      [`d,${instance}`, `d,${alone}`],
    ];
    for (const data of calls.flat()) await textOf(sandbox, { ...record, data: header + data });

    for (const id of ['a', 'b', 'c', 'd']) {
      expect(await rows(id, 'drug'), id).to.deep.equal([
        `${id},start_arm_1,,,`,
        `${id},start_arm_1,meds,1,x`,
      ]);
    }
  });

  it('is given by record, event and instance in EAV, with one value per line', async () => {
    const data = [
      'record,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,field_name,value',
      '9,start_arm_1,,,id,9',
      '9,start_arm_1,,,name,"Eve, a"',
      '9,start_arm_1,,,marks,Aa',
      '9,start_arm_1,,,marks___2,1',
      '9,start_arm_1,,,marks,UNK',
      '9,start_arm_1,meds,2,drug,y',
      '9,visit_arm_1,,1,weight,50.0',
      '8,,,,name,Bo',
    ].join('\n');

    expect(await textOf(sandbox, { ...eav, data })).to.equal('2');
    expect(await rows('9', 'name,marks,drug,weight')).to.deep.equal([
      '9,start_arm_1,,,"Eve, a",1,1,1,0,,',
      '9,start_arm_1,meds,2,,,,,,,y',
      '9,visit_arm_1,,1,,,,,,50.0,',
    ]);
    expect(await rows('8', 'name')).to.deep.equal(['8,start_arm_1,,,Bo']);
  });
});

describe('An EAV import', () => {
  let sandbox: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(classicStudy());
  });
  afterEach(() => sandbox.close());

  for (const [format, data] of [
    ['csv', 'record,field_name,value\n2,age,31\n2,sites___2,1\n'],
    ['json', '[{"record":"2","field_name":"age","value":31},{"record":2,"field_name":"sites","value":"2"}]'],
    [
      'xml',
      '<records><item><record>2</record><field_name>age</field_name><value>31</value></item><item><record>2</record><field_name>sites</field_name><value>2</value></item></records>',
    ],
  ] as const) {
    it(`is read from ${format}`, async () => {
      await textOf(sandbox, { ...eav, format, data });

      expect(await jsonOf(sandbox, { ...record, records: '2', fields: 'age,sites' })).to.deep.equal([
        { age: '31', sites___1: '0', sites___2: '1', sites____99: '0' },
      ]);
    });
  }

  it('unchecks and erases values like a flat import', async () => {
    const data = 'record,field_name,value\n10,sites___1,0\n10,sex,\n10,weight,\n';
    await textOf(sandbox, { ...eav, data: data.replace('10,weight,\n', '') });
    expect(await jsonOf(sandbox, { ...record, records: '10', fields: 'sex,sites' })).to.deep.equal([
      { sites___1: '0', sites___2: '0', sites____99: '0', sex: '1' },
    ]);

    await textOf(sandbox, { ...eav, data, overwriteBehavior: 'overwrite' });
    expect(await jsonOf(sandbox, { ...record, records: '10', fields: 'sex,weight' })).to.deep.equal([
      { sex: '', weight: '' },
    ]);
  });

  it('creates a record by its id alone', async () => {
    expect(await textOf(sandbox, { ...eav, data: 'record,field_name,value\nnew,id,new\n' })).to.equal('1');
    expect(sandbox.project.records.ids).to.include('new');
  });

  for (const [what, row, text] of [
    [
      'the instance `new`',
      { field_name: 'age', value: '1', redcap_repeat_instance: 'new' },
      'The value "new" of redcap_repeat_instance is not valid with type=eav',
    ],
    [
      'a field that does not exist',
      { field_name: 'nope', value: '1' },
      'The following fields were not found in the project as real data fields: nope',
    ],
    [
      'a choice that does not exist',
      { field_name: 'sites', value: '7' },
      'The following fields were not found in the project as real data fields: sites',
    ],
    [
      'a value that is not valid',
      { field_name: 'sex', value: '7' },
      '"2","sex","7","The value is not a valid category for sex"',
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      expect(await refusalOf(sandbox, { ...eav, data: JSON.stringify([{ record: '2', ...row }]) })).to.equal(
        text,
      );
    });
  }

  it('refuses a line without a record', async () => {
    expect(await refusalOf(sandbox, { ...eav, data: '[{"field_name":"age","value":"1"}]' })).to.include(
      'record name is missing',
    );
  });
});
