import { expect } from 'chai';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { classicStudy, longitudinalStudy } from '../../support/studies.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

type Sandbox = RedcapSandbox & { readonly token: string };
type Form = Readonly<Record<string, string>>;

/** Uses plain HTTP as any client does, without our gateway. */
async function call(
  sandbox: Sandbox,
  form: Form,
  body?: FormData,
): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(sandbox.url, {
    method: 'POST',
    body: body ?? new URLSearchParams({ token: sandbox.token, ...form }),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}

describe('The REDCap sandbox, compared with what clients have asserted of real servers', () => {
  let classic: Sandbox;
  let longitudinal: Sandbox;
  const text = async (form: Form): Promise<string> => (await call(classic, form)).text;
  const json = async (form: Form): Promise<unknown> => JSON.parse(await text({ format: 'json', ...form }));
  const record = { content: 'record' };

  beforeEach(async () => {
    [classic, longitudinal] = await Promise.all([
      startTestSandbox(classicStudy()),
      startTestSandbox(longitudinalStudy()),
    ]);
  });
  afterEach(() => Promise.all([classic.close(), longitudinal.close()]));

  for (const [format, type, body] of [
    ['json', 'application/json; charset=utf-8', '{"error":"You do not have permissions to use the API"}'],
    ['csv', 'text/csv; charset=utf-8', 'ERROR: You do not have permissions to use the API'],
    [
      'xml',
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="UTF-8" ?><hash><error>You do not have permissions to use the API</error></hash>',
    ],
  ] as const) {
    it(`1: answers a wrong token with 403, in ${format}`, async () => {
      expect(await call(classic, { token: 'A'.repeat(32), content: 'version', format })).to.deep.equal({
        status: 403,
        type,
        text: body,
      });
    });
  }

  it('2: returns the bare version, as text/csv with format=csv', async () => {
    expect(await call(classic, { content: 'version', format: 'csv' })).to.deep.equal({
      status: 200,
      type: 'text/csv; charset=utf-8',
      text: '16.1.9',
    });
  });

  it('3, 4: refuses an unknown content, and names unknown fields', async () => {
    expect(await text({ content: 'nonsense', format: 'csv' })).to.equal(
      'ERROR: The value of the parameter "content" is not valid',
    );
    expect(await text({ ...record, format: 'csv', fields: 'age,foo,bar' })).to.equal(
      "ERROR: The following values in the parameter \"fields\" are not valid: 'foo', 'bar'",
    );
  });

  it('5, 6: exports the requested fields in dictionary order, and the id only if it is among them', async () => {
    expect(await text({ ...record, format: 'csv', fields: 'age' })).to.equal('age\n30\n20\n40\n');
    expect(await text({ ...record, format: 'csv', 'fields[0]': 'age', 'fields[1]': 'id' })).to.equal(
      'id,age\n2,30\n10,20\nA-1,40\n',
    );
    const { text: rows } = await call(longitudinal, {
      ...record,
      format: 'csv',
      'fields[0]': 'id',
      'fields[1]': 'age',
    });
    expect(rows.split('\n')[0]).to.equal(
      'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,age',
    );
  });

  it('7: reads lists in every notation', async () => {
    const base = { ...record, format: 'csv', fields: 'id' };
    const expected = 'id\n2\nA-1\n';

    expect(await text({ ...base, records: 'A-1, 2' })).to.equal(expected);
    expect(await text({ ...base, 'records[0]': 'A-1', 'records[1]': '2' })).to.equal(expected);
    expect(await text({ ...base, 'records[1]': 'A-1', 'records[2]': '2' })).to.equal(expected);
    const brackets = new URLSearchParams({ token: classic.token, ...base });
    brackets.append('records[]', 'A-1');
    brackets.append('records[]', '2');
    const answer = await fetch(classic.url, { method: 'POST', body: brackets });
    expect(await answer.text()).to.equal(expected);
  });

  it('8: reads multipart bodies like URL-encoded ones', async () => {
    const form = { token: classic.token, ...record, format: 'json' };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(form)) multipart.append(name, value);

    expect(await call(classic, {}, multipart)).to.deep.equal(await call(classic, form));
  });

  it('9: returns nothing for records that do not exist', async () => {
    expect(await json({ ...record, records: 'nobody' })).to.deep.equal([]);
    expect((await text({ ...record, format: 'csv', records: 'nobody' })).trim()).to.equal('');
  });

  it('10, 11: orders the rows of a record, and leaves cells blank that do not apply to a row', async () => {
    const { text: rows } = await call(longitudinal, { ...record, format: 'csv' });

    expect(rows).to.equal(
      [
        'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,age,sites___1,sites___2,sites____99,base_complete,pulse,visit_complete,drug,meds_complete',
        'A-1,start_arm_1,,,40,1,0,0,0,60,0,,',
        'A-1,end_arm_1,,,,,,,,70,0,,',
        'A-1,start_arm_1,meds,1,,,,,,,,"drug x",0',
        'A-1,start_arm_1,meds,2,,,,,,,,"drug y",0',
        '',
      ].join('\n'),
    );
  });

  it('12, 15: counts records, and stores a row without an event at the first one', async () => {
    const data = JSON.stringify([
      { id: 'B', pulse: '61' },
      { id: 'B', redcap_event_name: 'end_arm_1', pulse: 62 },
    ]);

    expect((await call(longitudinal, { ...record, format: 'json', data })).text).to.equal('{"count":1}');
    const { text: rows } = await call(longitudinal, {
      ...record,
      format: 'csv',
      records: 'B',
      fields: 'id,pulse',
    });
    expect(rows).to.include('B,start_arm_1,,,61').and.to.include('B,end_arm_1,,,62');
  });

  it('13: refuses a whole import for one invalid value, with one line per invalid cell', async () => {
    const before = await text({ ...record, format: 'csv' });
    const data = 'id,age,sex\n2,31,1\n10,x,7\n';

    const answer = await call(classic, { ...record, format: 'csv', data });

    expect(answer.status).to.equal(400);
    expect(answer.text).to.equal(
      'ERROR: "10","age","x","The value you provided could not be validated because it does not follow the expected format. Please try again."\n"10","sex","7","The value is not a valid category for sex"',
    );
    expect(await text({ ...record, format: 'csv' })).to.equal(before);
  });

  it('14: stores a value beyond the maximum, and updates calculated fields', async () => {
    expect(await json({ ...record, data: '[{"id":"2","age":"150"}]' })).to.deep.equal({ count: 1 });
    expect(await json({ ...record, records: '2', fields: 'age,twice' })).to.deep.equal([
      { age: '150', twice: '300' },
    ]);
  });

  it("16, 28: refuses unknown fields, unknown events and malformed JSON with REDCap's messages", async () => {
    expect(await json({ ...record, data: '[{"id":"2","foo":"1","baz":"2"}]' })).to.deep.equal({
      error: 'The following fields were not found in the project as real data fields: foo, baz',
    });
    const { text: answer } = await call(longitudinal, {
      ...record,
      format: 'json',
      data: '[{"id":"B","redcap_event_name":"v9_arm_1"}]',
    });
    expect(JSON.parse(answer)).to.deep.equal({
      error: 'The following values of redcap_event_name are invalid: v9_arm_1',
    });
    expect(await json({ ...record, data: '{' })).to.deep.equal({
      error:
        'The data being imported is not formatted correctly. PHP error from JSON decoder: Syntax error. The JSON must be in an array, as in [{ ... }].',
    });
  });

  it('17: returns ids, and new names for ids that only group rows', async () => {
    expect(
      await json({ ...record, data: '[{"id":"2"},{"id":"new one"}]', returnContent: 'ids' }),
    ).to.deep.equal(['2', 'new one']);
    expect(
      await json({ ...record, data: '[{"id":"x"}]', forceAutoNumber: 'True', returnContent: 'auto_ids' }),
    ).to.deep.equal(['11,x']);
    expect(await text({ ...record, format: 'csv', data: 'id\n2\n', returnContent: 'nothing' })).to.equal('');
  });

  it('18, 21: deletes all of the records or none, and returns a bare integer', async () => {
    const remove = { ...record, action: 'delete', format: 'csv' };
    expect(await text({ ...remove, records: '2,nobody' })).to.include(
      'The following records do not exist: nobody',
    );
    expect(await text({ ...record, format: 'csv', fields: 'id' })).to.equal('id\n2\n10\nA-1\n');
    expect(await text({ ...remove, 'records[0]': '2', 'records[1]': '10' })).to.equal('2');
    expect(await text({ ...record, format: 'csv', fields: 'id' })).to.equal('id\nA-1\n');
  });

  it('deletes an instrument, an event or an instance alone', async () => {
    const remove = { ...record, action: 'delete', records: 'A-1', format: 'csv' };
    await call(longitudinal, { ...remove, instrument: 'meds', event: 'start_arm_1', repeat_instance: '1' });
    await call(longitudinal, { ...remove, instrument: 'base', event: 'start_arm_1' });
    await call(longitudinal, { ...remove, event: 'end_arm_1' });

    const { text: rows } = await call(longitudinal, {
      ...record,
      format: 'csv',
      fields: 'id,age,pulse,drug',
    });

    expect(rows.split('\n').slice(1)).to.deep.equal([
      'A-1,start_arm_1,,,,60,',
      'A-1,start_arm_1,meds,2,,,"drug y"',
      '',
    ]);
  });

  it('19: explains what a classic project cannot export, and exports it for a longitudinal one', async () => {
    expect(await json({ content: 'arm' })).to.deep.equal({
      error: 'You cannot export arms for classic projects',
    });
    expect(await json({ content: 'event' })).to.deep.equal({
      error: 'You cannot export events for classic projects',
    });
    expect(await json({ content: 'formEventMapping' })).to.deep.equal({
      error: 'You cannot export form/event mappings for classic projects',
    });
    expect(await text({ content: 'repeatingFormsEvents', format: 'csv' })).to.include(
      'does not contain any repeating instruments and events',
    );
    const of = async (content: string): Promise<unknown> =>
      JSON.parse((await call(longitudinal, { content, format: 'json' })).text);
    expect(await of('arm')).to.deep.equal([{ arm_num: 1, name: 'Arm 1' }]);
    expect(await of('event')).to.have.length(2);
    expect(await of('formEventMapping')).to.have.length(4);
    expect(await of('repeatingFormsEvents')).to.deep.equal([
      { event_name: 'start_arm_1', form_name: 'meds', custom_form_label: '' },
    ]);
  });

  it('22: lists the export columns, with calculated but without descriptive fields', async () => {
    const names = (await json({ content: 'exportFieldNames' })) as { export_field_name: string }[];

    expect(names.map((name) => name.export_field_name)).to.deep.equal([
      'id',
      'age',
      'sites___1',
      'sites___2',
      'sites____99',
      'sex',
      'born',
      'twice',
      'weight',
      'base_complete',
    ]);
    expect(await json({ content: 'exportFieldNames', field: 'sex' })).to.have.length(1);
  });

  it('23: exports labels as values and as headings', async () => {
    const rows = await text({
      ...record,
      format: 'csv',
      records: '10',
      fields: 'id,sites,sex,base_complete',
      rawOrLabel: 'label',
      rawOrLabelHeaders: 'label',
    });

    expect(rows).to.equal(
      'Id,"Sites (choice=North)","Sites (choice=South, far)","Sites (choice=Unknown)",Sex,Complete?\n10,Checked,Unchecked,Unchecked,Female,Complete\n',
    );
  });

  it('24: exports one line per value in EAV, and imports it again', async () => {
    const rows = await text({ ...record, type: 'eav', format: 'csv', records: '10', fields: 'id,sites,sex' });
    expect(rows).to.equal('record,field_name,value\n10,id,10\n10,sites,1\n10,sex,1\n');

    await text({
      ...record,
      type: 'eav',
      format: 'csv',
      data: 'record,field_name,value\n2,sites,2\n2,sex,2\n',
    });
    expect(await json({ ...record, records: '2', fields: 'sites,sex' })).to.deep.equal([
      { sites___1: '0', sites___2: '1', sites____99: '0', sex: '2' },
    ]);
  });

  it('25, 26: leaves unsaved forms blank, and uses the requested delimiters and decimals', async () => {
    await text({ ...record, format: 'csv', data: 'id\nempty\n' });

    expect(
      await text({
        ...record,
        format: 'csv',
        records: 'empty',
        fields: 'base_complete',
        exportBlankForGrayFormStatus: 'TRUE',
      }),
    ).to.equal('base_complete\n\n');
    expect(
      await text({
        ...record,
        format: 'csv',
        records: '10',
        fields: 'id,weight',
        csvDelimiter: ';',
        decimalCharacter: ',',
      }),
    ).to.equal('id;weight\n10;26,8\n');
    expect(
      await text({ ...record, format: 'csv', records: '10', fields: 'id,age', csvDelimiter: 'tab' }),
    ).to.equal('id\tage\n10\t20\n');
  });

  it('27: refuses other methods and other paths', async () => {
    const get = await fetch(classic.url);
    expect(get.status).to.equal(501);
    expect(await get.text()).to.equal(
      '<?xml version="1.0" encoding="UTF-8" ?><hash><error>The requested method is not implemented.</error></hash>',
    );
    expect((await fetch(new URL('/nowhere', classic.url))).status).to.equal(404);
    expect((await fetch(classic.url.slice(0, -1), { redirect: 'manual', method: 'POST' })).status).to.equal(
      301,
    );
  });

  it('filters by logic and by the time of the last change', async () => {
    const ids = async (form: Form): Promise<string> =>
      text({ ...record, format: 'csv', fields: 'id', ...form });

    expect(await ids({ filterLogic: "[age] >= 30 and [sites(-99)] = '1'" })).to.equal('id\nA-1\n');
    expect(await ids({ filterLogic: "[born] <> ''" })).to.equal('id\n2\n');
    expect(await ids({ dateRangeBegin: '2026-01-01 00:00:01' })).to.equal('\n');
    expect(await ids({ dateRangeEnd: '2026-01-02 00:00:00' })).to.equal('id\n2\n10\nA-1\n');
    expect(await ids({ filterLogic: '[age' })).to.match(
      /^ERROR: The logic in the parameter "filterLogic" is not valid/,
    );
  });

  it('imports XML, other date formats, blanks that erase values, and `new` instances', async () => {
    const xml = '<?xml version="1.0"?><records><item><id>2</id><age><![CDATA[33]]></age></item></records>';
    expect(await text({ ...record, format: 'xml', data: xml })).to.include('<count>1</count>');
    await text({ ...record, format: 'csv', data: 'id,born\n2,31/12/1999\n', dateFormat: 'DMY' });
    expect(await json({ ...record, records: '2', fields: 'age,born' })).to.deep.equal([
      { age: '33', born: '1999-12-31' },
    ]);
    await text({ ...record, format: 'csv', data: 'id,born,age\n2,,\n', overwriteBehavior: 'overwrite' });
    expect(await json({ ...record, records: '2', fields: 'age,born' })).to.deep.equal([
      { age: '', born: '' },
    ]);

    const data = JSON.stringify([
      {
        id: 'A-1',
        redcap_event_name: 'start_arm_1',
        redcap_repeat_instrument: 'meds',
        redcap_repeat_instance: 'new',
        drug: 'drug z',
      },
    ]);
    await call(longitudinal, { ...record, format: 'json', data });
    const { text: rows } = await call(longitudinal, {
      ...record,
      format: 'json',
      fields: 'id,drug',
      filterLogic: "[drug] = 'drug z'",
    });
    expect(JSON.parse(rows)).to.have.nested.property('[0].redcap_repeat_instance', 3);
  });

  it('enforces the rights of a user', async () => {
    const reader = 'DECAF000DECAF000DECAF000DECAF000';

    expect(await json({ token: reader, ...record, data: '[{"id":"2"}]' })).to.deep.equal({
      error: 'You do not have API Import/Update privileges',
    });
    expect(await json({ token: reader, ...record, action: 'delete', records: '2' })).to.deep.equal({
      error: 'You do not have Delete Record privileges',
    });
  });
});
