import { expect } from 'chai';
import type { Field } from '../../../src/domain/dictionary/field.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { jsonOf, textOf, type TestSandbox } from './wire.js';

const eav = { content: 'record', type: 'eav' };

describe('An EAV export of the REDCap sandbox', () => {
  let classic: TestSandbox;
  let arms: TestSandbox;

  before(async () => {
    classic = await startTestSandbox(classicStudy());
    arms = await startTestSandbox(armsStudy());
  });
  after(() => Promise.all([classic.close(), arms.close()]));

  it('has one line per value, in dictionary order with the calculated fields last', async () => {
    expect(await textOf(classic, { ...eav, records: '10' })).to.equal(
      [
        'record,field_name,value',
        '10,id,10',
        '10,age,20',
        '10,sites,1',
        '10,sex,1',
        '10,weight,26.8',
        '10,base_complete,2',
        '10,twice,40',
        '',
      ].join('\n'),
    );
  });

  it('follows the order of the requested fields, and omits the id unless requested', async () => {
    expect(await textOf(classic, { ...eav, records: '10', fields: 'weight,sites,age' })).to.equal(
      'record,field_name,value\n10,weight,26.8\n10,sites,1\n10,age,20\n',
    );
  });

  it('has columns for events and instances, the id once per event, and document numbers for files', async () => {
    expect(await textOf(arms, { ...eav, records: '1', fields: 'id,consent,weight,drug,marks' })).to.equal(
      [
        'record,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,field_name,value',
        '1,start_arm_1,,,id,1',
        '1,start_arm_1,,,consent,1',
        '1,start_arm_1,,,marks,Aa',
        '1,start_arm_1,meds,1,drug,x',
        '1,visit_arm_1,,,id,1',
        '1,visit_arm_1,,1,weight,70.0',
        '1,visit_arm_1,,2,weight,71.5',
        '',
      ].join('\n'),
    );
    expect(await textOf(arms, { ...eav, fields: 'consent' })).to.include('1,start_arm_1,,,consent,1\n');
  });

  it('returns labels on request', async () => {
    expect(
      await jsonOf(arms, { ...eav, records: '1', fields: 'mood,marks', rawOrLabel: 'label' }),
    ).to.deep.equal([line('mood', 'Good'), line('marks', 'First')]);

    function line(field: string, value: string) {
      return {
        record: '1',
        redcap_event_name: 'Start (Arm 1: Drug A)',
        redcap_repeat_instrument: '',
        redcap_repeat_instance: '',
        field_name: field,
        value,
      };
    }
  });

  it('has no line for a blank, and none for unknown records', async () => {
    expect(await textOf(classic, { ...eav, records: '2', fields: 'sex,weight' })).to.equal('\n');
    expect(await jsonOf(classic, { ...eav, records: 'nobody' })).to.deep.equal([]);
  });

  it('has the number of a file under hashed record names too', async () => {
    const { fields, users, ...study } = classicStudy();
    const [id] = fields;
    const doc = { ...id, name: 'doc', type: 'file', instrument: 'docs' } as Field;
    const formRights = { forms: {}, formsExport: { base: 2, docs: 1 } };
    const hashing = await startTestSandbox({
      ...study,
      fields: [...fields, doc],
      instruments: [...study.instruments, { name: 'docs', label: 'Docs' }],
      users: users.map((user) => ({ ...user, formRights })),
      rows: [{ id: '2', doc: 'a.txt' }],
      files: [
        {
          ...{ record: '2', event: '', instrument: '', instance: 0, field: 'doc' },
          ...{ name: 'a.txt', type: 'text/plain', bytes: Buffer.from('a') },
        },
      ],
    });

    const xml = { content: 'project_xml', format: 'xml', exportFiles: '1' };
    const answers = [await textOf(hashing, { ...eav, fields: 'doc' }), await textOf(hashing, xml)];
    await hashing.close();

    expect(answers[0]).to.match(/^record,field_name,value\n[0-9a-f]{32},doc,1\n$/);
    expect(answers[1]).to.include('<![CDATA[YQ==]]>');
  });
});
