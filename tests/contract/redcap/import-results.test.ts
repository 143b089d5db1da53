import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { jsonOf, post, textOf, type TestSandbox } from './wire.js';

const record = { content: 'record' };
const PROLOG = '<?xml version="1.0" encoding="UTF-8" ?>';

describe('A record import', () => {
  let sandbox: TestSandbox;

  beforeEach(async () => {
    sandbox = await startTestSandbox(classicStudy());
  });
  afterEach(() => sandbox.close());

  const rows = '[{"id":"2","age":"1"},{"id":"a b","age":"2"},{"id":"2","sex":"1"}]';

  for (const [returnContent, json, csv, xml] of [
    ['', '{"count":2}', '2', `${PROLOG}<count>2</count>`],
    ['count', '{"count":2}', '2', `${PROLOG}<count>2</count>`],
    ['ids', '["2","a b"]', 'id\n2\n"a b"', `${PROLOG}<ids><id>2</id><id>a b</id></ids>`],
    ['nothing', '', '', ''],
  ] as const) {
    it(`returns ${returnContent || 'a count by default'} in the format of errors`, async () => {
      const answer = async (returnFormat: string): Promise<string> =>
        (await post(sandbox, { ...record, format: 'json', returnFormat, returnContent, data: rows })).text;

      expect(await answer('json')).to.equal(json);
      expect(await answer('')).to.equal(json);
      expect(await answer('csv')).to.equal(csv);
      expect(await answer('xml')).to.equal(xml);
    });
  }

  it('assigns new names with forceAutoNumber, one per name that was sent, and returns pairs of both', async () => {
    const form = { ...record, forceAutoNumber: '1', returnContent: 'auto_ids', data: rows };

    expect(await jsonOf(sandbox, form)).to.deep.equal(['11,2', '12,a b']);
    expect(await textOf(sandbox, { ...form, format: 'json', returnFormat: 'csv' })).to.equal(
      'id\n"13,2"\n"14,a b"',
    );
    expect(await jsonOf(sandbox, { ...record, records: '11,2', fields: 'id,age,sex' })).to.deep.equal([
      { id: '2', age: '30', sex: '' },
      { id: '11', age: '1', sex: '1' },
    ]);
    expect(await jsonOf(sandbox, { ...form, returnContent: 'ids' })).to.deep.equal(['15', '16']);
  });

  it('numbers and orders records whose names have more digits than a JavaScript number keeps', async () => {
    const wide = await startTestSandbox(classicStudy());
    const ids = ['12345678901234567892', '12345678901234567891'];
    await textOf(wide, { ...record, data: `id\n${ids.join('\n')}\n` });
    const exported = await textOf(wide, { ...record, fields: 'id' });
    const next = await textOf(wide, { content: 'generateNextRecordName' });
    const given = await jsonOf(wide, { ...record, forceAutoNumber: '1', returnContent: 'ids', data: rows });
    await wide.close();

    expect(exported).to.equal('id\n2\n10\n12345678901234567891\n12345678901234567892\nA-1\n');
    expect(next).to.equal('12345678901234567893');
    expect(given).to.deep.equal(['12345678901234567893', '12345678901234567894']);
  });

  it('ignores blanks, or erases with overwriteBehavior=overwrite', async () => {
    const blank = '[{"id":"10","age":"","sex":"","sites___1":"","base_complete":""}]';
    const fields = { ...record, records: '10', fields: 'age,sex,sites,twice,weight' };
    const before = await jsonOf(sandbox, fields);

    await jsonOf(sandbox, { ...record, data: blank, overwriteBehavior: 'normal' });
    expect(await jsonOf(sandbox, fields)).to.deep.equal(before);
    await jsonOf(sandbox, { ...record, data: blank, overwriteBehavior: 'overwrite' });
    expect(await jsonOf(sandbox, fields)).to.deep.equal([
      { age: '', sex: '', sites___1: '0', sites___2: '0', sites____99: '0', twice: '', weight: '26.8' },
    ]);
  });

  it('unchecks a choice with 0, and keeps what is not sent', async () => {
    await textOf(sandbox, { ...record, data: 'id,sites___1,sites___2\n10,0,1\n' });

    expect(
      await jsonOf(sandbox, { ...record, records: '10', fields: 'sites,age,base_complete' }),
    ).to.deep.equal([{ age: '20', sites___1: '0', sites___2: '1', sites____99: '0', base_complete: '2' }]);
  });

  it('creates a record from only an id, with a form that was never saved', async () => {
    expect(await textOf(sandbox, { ...record, data: 'id\nnew\n' })).to.equal('1');
    expect(
      await jsonOf(sandbox, {
        ...record,
        records: 'new',
        fields: 'id,base_complete',
        exportBlankForGrayFormStatus: '1',
      }),
    ).to.deep.equal([{ id: 'new', base_complete: '' }]);
  });

  it('sets the form status of a changed form to 0 unless one is sent', async () => {
    await textOf(sandbox, { ...record, data: 'id,age,base_complete\nn1,5,\nn2,5,1\n' });
    const status = { ...record, fields: 'base_complete', exportBlankForGrayFormStatus: '1' };

    expect(await jsonOf(sandbox, { ...status, records: 'n1' })).to.deep.equal([{ base_complete: '0' }]);
    expect(await jsonOf(sandbox, { ...status, records: 'n2' })).to.deep.equal([{ base_complete: '1' }]);
  });

  it('trims record ids', async () => {
    await jsonOf(sandbox, { ...record, data: '[{"id":" 2 ","weight":"1"}]' });

    expect(sandbox.project.records.ids).to.have.members(['2', '10', 'A-1']);
  });

  it('recalculates calculated fields, whatever is sent for them', async () => {
    await jsonOf(sandbox, { ...record, data: '[{"id":"2","age":"7","twice":"999"}]' });

    expect(await jsonOf(sandbox, { ...record, records: '2', fields: 'age,twice' })).to.deep.equal([
      { age: '7', twice: '14' },
    ]);
  });

  for (const [dateFormat, sent] of [
    ['', '2001-02-03'],
    ['YMD', '2001/02/03'],
    ['DMY', '03/02/2001'],
    ['DMY', '3-2-2001'],
    ['MDY', '02/03/2001'],
    ['MDY', '2-3-2001'],
  ] as const) {
    it(`reads ${sent} as a date in the format ${dateFormat || 'YMD by default'}`, async () => {
      await jsonOf(sandbox, { ...record, dateFormat, data: JSON.stringify([{ id: '2', born: sent }]) });

      expect(await jsonOf(sandbox, { ...record, records: '2', fields: 'born' })).to.deep.equal([
        { born: '2001-02-03' },
      ]);
    });
  }

  it('runs in the background with backgroundProcess, storing valid rows and reporting no others', async () => {
    const form = { ...record, backgroundProcess: 'true', returnContent: 'ids' };
    const data = '[{"id":"n1","age":"5"},{"id":"n2","age":"x"}]';

    expect(await jsonOf(sandbox, { ...form, data })).to.deep.equal({ success: true });
    expect(await textOf(sandbox, { ...form, data: 'id,age\nn3,5\n' })).to.equal('true');
    expect(await textOf(sandbox, { ...form, format: 'xml', data: '<records/>' })).to.equal(
      `${PROLOG}<success>true</success>`,
    );
    expect(sandbox.project.records.ids).to.include('n1').and.to.include('n3').and.not.to.include('n2');
  });
});
