import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { TypedRow } from '../../../src/gateways/redcap/crf-client.js';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy } from '../../support/studies.js';
import { jsonOf, refusalOf, textOf, type TestSandbox } from './wire.js';

const record = { content: 'record' };
const ofTwo = { ...record, records: '2' };

/** The study with a record that has a missing data code in place of marks. */
function study(): Study {
  const base = armsStudy();
  return { ...base, rows: base.rows.map((row) => (row.id === '2' ? { ...row, marks___unk: '1' } : row)) };
}

describe('A checkbox field of a project with missing data codes', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await startTestSandbox(study());
  });
  afterEach(() => sandbox.close());

  it('is exported with a column for each code, after those of its choices', async () => {
    expect(await textOf(sandbox, { ...ofTwo, fields: 'mood,marks,pain' })).to.equal(
      'mood,marks___aa,marks___2,marks___unk,marks____9,pain\n-9,0,0,1,0,\n',
    );
    expect(await textOf(sandbox, { ...ofTwo, fields: 'marks', format: 'xml' })).to.include(
      '<marks___2><![CDATA[0]]></marks___2><marks___unk><![CDATA[1]]></marks___unk>',
    );
  });

  it('is exported with the labels of the codes', async () => {
    const labels = { ...ofTwo, fields: 'marks', rawOrLabel: 'label', rawOrLabelHeaders: 'label' };

    expect(await textOf(sandbox, labels)).to.equal(
      '"Marks (choice=First)","Marks (choice=Second)","Marks (choice=Unknown)","Marks (choice=Not asked)"\nUnchecked,Unchecked,Checked,Unchecked\n',
    );
    expect((await textOf(sandbox, { ...labels, exportCheckboxLabel: '1' })).split('\n')[1]).to.equal(
      ',,Unknown,',
    );
    const combined = { ...labels, combineCheckboxOptions: '1' };
    expect(await textOf(sandbox, combined)).to.equal('Marks\nUnknown\n');
    expect(await textOf(sandbox, { ...combined, rawOrLabel: 'raw' })).to.equal('Marks\nUNK\n');
  });

  it('is exported in EAV as the code of its field', async () => {
    const eav = { ...ofTwo, fields: 'marks', type: 'eav' };

    expect(await jsonOf(sandbox, eav)).to.deep.equal([
      { record: '2', redcap_event_name: 'start_arm_2', redcap_repeat_instrument: '', redcap_repeat_instance: '', field_name: 'marks', value: 'UNK' }, // prettier-ignore
    ]);
  });

  it('is imported by the columns of the codes, which accept 0 and 1', async () => {
    const data = (value: string): string => `id,redcap_event_name,marks____9\n2,start_arm_2,${value}\n`;

    expect(
      await refusalOf(sandbox, { ...record, format: 'csv', returnFormat: 'json', data: data('2') }),
    ).to.equal('"2","marks____9","2","The value is not a valid category for marks____9"');
    expect(await textOf(sandbox, { ...record, data: data('1') })).to.equal('1');
    expect(await jsonOf(sandbox, { ...ofTwo, fields: 'marks' })).to.deep.equal([
      { marks___aa: '0', marks___2: '0', marks___unk: '1', marks____9: '1' },
    ]);
  });

  it('is logged as a box that is checked', async () => {
    await textOf(sandbox, { ...record, data: 'id,redcap_event_name,marks____9\n2,start_arm_2,1\n' });

    expect(await jsonOf(sandbox, { content: 'log', logtype: 'record_edit' })).to.have.nested.property(
      '[0].details',
      'marks(-9) = checked',
    );
  });

  it('keeps its codes in project XML and in records as ODM', async () => {
    const whole = await textOf(sandbox, { content: 'project_xml', returnMetadataOnly: 'false' });
    const superToken = 'ABCDEF01'.repeat(8);
    const started = await startRedcapSandbox({ study: study(), superToken });
    const target = Object.assign(started, { token: sandbox.token });
    const created = { token: superToken, content: 'project', odm: whole, data: '[{"project_title":"Copy","purpose":0}]' }; // prettier-ignore
    const token = await textOf(target, { ...created, format: 'json' });

    expect(await jsonOf(target, { token, ...ofTwo, fields: 'marks' })).to.deep.equal([
      { marks___aa: '0', marks___2: '0', marks___unk: '1', marks____9: '0' },
    ]);
    expect(await textOf(target, { token, content: 'exportFieldNames', field: 'marks' })).to.include(
      'UNK,marks___unk',
    );
    const odm = await textOf(sandbox, { ...ofTwo, format: 'odm' });
    await textOf(target, { content: 'record', action: 'delete', 'records[0]': '2' });
    expect(await textOf(target, { ...record, format: 'odm', data: odm })).to.include('1');
    expect(await jsonOf(target, { ...ofTwo, fields: 'marks' })).to.deep.equal([
      { marks___aa: '0', marks___2: '0', marks___unk: '1', marks____9: '0' },
    ]);
    await target.close();
  });

  it('is read and written by the client as its code', async () => {
    const client = createCrfClient({ url: sandbox.url, token: sandbox.token });
    const rows: TypedRow[] = [];
    for await (const row of client.rows('enrol', { records: ['2'] })) rows.push(row);

    expect(rows).to.have.nested.property('[0].marks').that.deep.equals({ missing: 'UNK' });
    await client.importRows([{ id: '1', redcap_event_name: 'start_arm_1', marks: { missing: '-9' } }]);
    expect(
      await jsonOf(sandbox, { ...record, records: '1', events: 'start_arm_1', fields: 'marks' }),
    ).to.deep.equal([{ marks___aa: '0', marks___2: '0', marks___unk: '0', marks____9: '1' }]);
    client.close();
  });
});
