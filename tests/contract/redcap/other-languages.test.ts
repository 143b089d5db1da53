import { expect } from 'chai';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy, randomizedStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

const PROLOG = '<?xml version="1.0" encoding="UTF-8" ?>';

/** The behaviour that clients in Julia, Python and R expect of a real server, and that REDCap's help shows. */
describe('The REDCap sandbox, for clients in other languages', () => {
  let sandbox: TestSandbox;

  before(async () => {
    const study = armsStudy();
    const [manager] = study.users;
    sandbox = await startTestSandbox({
      ...study,
      users: [
        ...study.users,
        ...(manager === undefined
          ? []
          : [
              {
                ...manager,
                username: 'reader',
                token: 'B'.repeat(32),
                rights: ALL_RIGHTS,
                formRights: { forms: {}, formsExport: { enrol: 3 } },
              },
            ]),
      ],
      groups: [{ name: 'North', uniqueName: 'north', id: 1 }],
      reports: [{ id: 7, title: 'Notes', fields: ['note'], filterLogic: "[note] <> ''" }],
    });
  });
  after(() => sandbox.close());

  const rightsOf = async (username: string): Promise<Record<string, unknown>> => {
    const users = (await jsonOf(sandbox, { content: 'user' })) as Record<string, unknown>[];
    return users.find((user) => user.username === username) ?? {};
  };

  it('imports and exports users in XML with one element per instrument', async () => {
    const item =
      '<username>harrispa</username><design>1</design>' +
      '<forms>\n  <enrol>1</enrol>\n  <visit><![CDATA[0]]></visit>\n</forms><forms_export><enrol>2</enrol></forms_export>';
    const data = `${PROLOG}\n<users>\n<item>${item}</item>\n</users>`;

    expect(await textOf(sandbox, { content: 'user', format: 'xml', data })).to.equal('1');

    expect(await rightsOf('harrispa')).to.deep.include({
      design: 1,
      forms: { enrol: 1, visit: 0, meds: 2 },
      forms_export: { enrol: 2, visit: 0, meds: 0 },
    });
    expect(await textOf(sandbox, { content: 'user', format: 'xml' })).to.include(
      '<forms><enrol><![CDATA[1]]></enrol><visit><![CDATA[0]]></visit><meds><![CDATA[2]]></meds></forms>',
    );
  });

  it('withdraws a right that is sent as false', async () => {
    await textOf(sandbox, { content: 'user', format: 'json', data: '[{"username":"ada","design":true}]' });
    expect(await rightsOf('ada')).to.include({ design: 1 });
    await textOf(sandbox, { content: 'user', format: 'json', data: '[{"username":"ada","design":false}]' });

    expect(await rightsOf('ada')).to.include({ design: 0 });
  });

  it('names unknown instruments and roles one by one', async () => {
    const data = 'unique_role_name,role_label,forms,forms_export\nU-1,Data Entry,"day_3:1,enrol:1",other:2\n';

    expect(
      await refusalOf(sandbox, { content: 'userRole', format: 'csv', returnFormat: 'json', data }),
    ).to.equal(
      [
        'The form named "day_3" is incorrect for the user role "U-1" The form does not exist in this project.',
        'The form named "other" is incorrect for the user role "U-1" The form does not exist in this project.',
        'Invalid Unique Role Names: U-1',
      ].join('\n'),
    );
  });

  it('refuses a CSV table sent as XML, the default format', async () => {
    const form = {
      content: 'userRole',
      format: undefined,
      returnFormat: 'json',
      data: 'role_label\nReader\n',
    };

    expect(await refusalOf(sandbox, form)).to.equal('The data is not in the specified format.');
  });

  it('accepts a date without a time for the log', async () => {
    expect(await jsonOf(sandbox, { content: 'log', endTime: '1999-01-01' })).to.deep.equal([]);
    expect(await jsonOf(sandbox, { content: 'log', beginTime: '1999-01-01' })).to.not.deep.equal([]);
  });

  it('counts settings as sent, including blank and invalid ones', async () => {
    const data =
      'project_title,purpose,scheduling_enabled,project_notes,secondary_unique_field\nNew,Testing,true,,\n';

    expect(await textOf(sandbox, { content: 'project_settings', data })).to.equal('5');

    expect(await jsonOf(sandbox, { content: 'project' })).to.include({
      project_title: 'New',
      purpose: 0,
      scheduling_enabled: 1,
      project_notes: '',
    });
    expect(await textOf(sandbox, { content: 'project_settings' })).to.equal('');
  });

  it('accepts an event before the first day', async () => {
    const data = 'event_name,arm_num,day_offset\nScreening,1,-14\n';
    await textOf(sandbox, { content: 'event', action: 'import', data });

    const events = (await jsonOf(sandbox, { content: 'event', arms: '1' })) as Record<string, unknown>[];
    expect(events.at(-1)).to.include({ event_name: 'Screening', day_offset: -14 });
  });

  it('replaces line breaks with two blanks in a CSV report, and keeps them in a JSON report', async () => {
    const data = JSON.stringify([{ id: '1', note: 'first\r\nsecond\nthird' }]);
    await textOf(sandbox, { content: 'record', format: 'json', data });
    const report = { content: 'report', report_id: '7' };

    expect(await textOf(sandbox, report)).to.include('"first  second  third"');
    expect(JSON.stringify(await jsonOf(sandbox, report))).to.include(String.raw`first\r\nsecond\nthird`);
  });

  it('exports the forms of all records as PDF, whatever else is requested', async () => {
    const { status, text } = await post(sandbox, {
      content: 'pdf',
      allRecords: '',
      instrument: 'none',
      event: 'x',
    });

    expect(status).to.equal(200);
    expect(text).to.match(/^%PDF/);
  });

  it('returns a folder element in XML, and lists the group that a folder is restricted to', async () => {
    const folder: Form = { content: 'fileRepository', action: 'createFolder', name: 'Site', dag_id: '1' };

    expect(await textOf(sandbox, { ...folder, format: 'xml' })).to.match(
      /^<\?xml .*\?>\n<folders>\n<folder><folder_id><!\[CDATA\[\d+\]\]><\/folder_id><\/folder>\n<\/folders>$/,
    );
    expect(await textOf(sandbox, { content: 'fileRepository', action: 'list' })).to.include('Site,,north');
  });

  describe('for files', () => {
    const place: Form = { content: 'file', record: '1', field: 'consent', event: 'start_arm_1' };

    const send = async (form: Form): Promise<number> => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ token: sandbox.token, ...form }))
        if (value !== undefined) body.append(name, value);
      body.append('file', new Blob(['signed']), 'signed.txt');
      return (await fetch(sandbox.url, { method: 'POST', body })).status;
    };

    it('returns them to users who may not see identifiers, unless the field is one', async () => {
      expect(await send({ ...place, action: 'import' })).to.equal(200);

      const reader = { ...sandbox, token: 'B'.repeat(32) };
      expect(await textOf(reader, { ...place, action: 'export' })).to.equal('signed');
    });

    it('refuses them at an event that does not have their instrument', async () => {
      expect(await send({ ...place, action: 'import', event: 'visit_arm_1' })).to.equal(400);
    });
  });
});

describe('Other projects of the REDCap sandbox, for clients in other languages', () => {
  it('have no EAV line for the status of a form that was never saved', async () => {
    const sandbox = await startTestSandbox({ ...classicStudy(), rows: [{ id: '1' }] });

    expect(await textOf(sandbox, { content: 'record', type: 'eav' })).to.equal(
      'record,field_name,value\n1,id,1\n',
    );
    await sandbox.close();
  });

  it('return a randomization as one object, and in XML as one item', async () => {
    const sandbox = await startTestSandbox({ ...randomizedStudy(), rows: [{ id: '1' }] });
    const form = {
      content: 'record',
      action: 'randomize',
      record: '1',
      randomization_id: '1',
      format: 'xml',
    };

    expect(await textOf(sandbox, form)).to.match(
      /\?>\n<item><randomization_id><!\[CDATA\[1\]\]><\/randomization_id>.*<\/item>$/,
    );
    await sandbox.close();
  });

  it('keep the blanks around a label', async () => {
    const sandbox = await startTestSandbox(classicStudy());
    const fields = [{ field_name: 'id', form_name: 'base', field_type: 'text', field_label: '\n  Id ' }];
    await textOf(sandbox, { content: 'metadata', format: 'json', data: JSON.stringify(fields) });

    expect(await jsonOf(sandbox, { content: 'metadata' })).to.have.nested.property(
      '[0].field_label',
      '\n  Id ',
    );
    await sandbox.close();
  });
});
