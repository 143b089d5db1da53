import { expect } from 'chai';
import { startRedcapSandbox, type RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import { DEMO_TOKEN, DEMO_USERS } from '../../../src/sandbox/demo-study/demo-study.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { readProjectXml } from '../../../src/sandbox/redcap/odm/read-project-xml.js';
import { someField } from '../../support/some-field.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf, type TestSandbox } from './wire.js';

const SUPER_TOKEN = 'ABCDEF01'.repeat(8);
const NORTH_TOKEN = '0F'.repeat(16);
const HIDDEN_TOKEN = '1F'.repeat(16);

/** Two arms, repeats, groups, surveys, a file, a user in a group, and one with de-identified access. */
function study(): Study {
  const base = armsStudy();
  const [manager] = DEMO_USERS;
  if (manager === undefined) throw new Error('There is no data manager.');
  const forms = ['enrol', 'visit', 'meds'];
  return {
    ...base,
    groups: [
      { name: 'North', uniqueName: 'north', id: 1 },
      { name: 'South', uniqueName: 'south', id: 2 },
    ],
    surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
    users: [
      ...base.users,
      { ...manager, username: 'north', token: NORTH_TOKEN, group: 'north' },
      {
        ...manager,
        username: 'hidden',
        token: HIDDEN_TOKEN,
        rights: ALL_RIGHTS,
        formRights: {
          forms: Object.fromEntries(forms.map((name) => [name, 129])),
          formsExport: Object.fromEntries(forms.map((name) => [name, 2])),
        },
      },
    ],
    rows: base.rows.map((row) => ({
      ...row,
      redcap_data_access_group: row.id === '1' ? 'north' : 'south',
      redcap_survey_identifier: `person ${row.id ?? ''}`,
      ...(row.name !== undefined && { enrol_timestamp: '2026-02-01 10:00:00' }),
    })),
    files: [
      {
        record: '1',
        event: 'start_arm_1',
        instrument: '',
        instance: 0,
        field: 'consent',
        name: 'form.pdf',
        type: 'application/pdf',
        bytes: Buffer.from('%PDF'),
      },
    ],
  };
}

describe('A project as XML, over the API', () => {
  let sandbox: TestSandbox;

  before(async () => {
    const started = await startRedcapSandbox({ study: study(), superToken: SUPER_TOKEN });
    sandbox = { ...started, token: DEMO_TOKEN };
  });
  after(() => sandbox.close());

  const xml = (form: Record<string, string> = {}): Promise<string> =>
    textOf(sandbox, { content: 'project_xml', ...form });
  const subjects = (text: string): string[] =>
    [...text.matchAll(/SubjectKey="([^"]*)"/g)].map(([, id = '']) => id);

  it('is one XML document, whatever the format', async () => {
    const { status, type, text } = await post(sandbox, { content: 'project_xml', format: 'json' });

    expect([status, type]).to.deep.equal([200, 'text/xml; charset=utf-8']);
    expect(text).to.match(
      /^<\?xml version="1\.0" encoding="UTF-8" \?>\n<ODM [^>]*SourceSystemVersion="16\.1\.9">\n/,
    );
    expect(subjects(text)).to.deep.equal(['1', '2']);
  });

  it('contains only the design with returnMetadataOnly', async () => {
    const text = await xml({ returnMetadataOnly: 'true' });

    expect(text).to.include('<ItemDef OID="mood"').and.not.include('ClinicalData');
  });

  it('contains the requested records, fields and events, and those that match a filter', async () => {
    expect(subjects(await xml({ 'records[0]': '2' }))).to.deep.equal(['2']);
    expect(subjects(await xml({ filterLogic: "[name] = 'Ada'" }))).to.deep.equal(['1']);
    const text = await xml({ 'fields[0]': 'weight', 'events[0]': 'visit_arm_1' });
    expect(text.match(/<ItemData ItemOID="(?!id")[^"]*" Value="[^"]*"/g)).to.deep.equal([
      '<ItemData ItemOID="weight" Value="70.0"',
      '<ItemData ItemOID="weight" Value="71.5"',
    ]);
    expect(await refusalOf(sandbox, { content: 'project_xml', 'fields[0]': 'nope' })).to.include("'nope'");
  });

  it('contains groups, survey cells and files only on request', async () => {
    const bare = await xml();
    const full = await xml({
      exportSurveyFields: '1',
      exportDataAccessGroups: '1',
      exportFiles: 'true',
    });

    const groupCell = '<ItemData ItemOID="redcap_data_access_group" Value="north"/>';
    const personCell = '<ItemData ItemOID="redcap_survey_identifier" Value="person 1"/>';
    const stampCell = '<ItemData ItemOID="enrol_timestamp" Value="2026-02-01 10:00:00"/>';
    for (const cell of [groupCell, personCell, stampCell, '<ItemDataBase64Binary ']) {
      expect(bare).not.to.include(cell);
      expect(full).to.include(cell);
    }
    expect(bare).to.include('<ItemData ItemOID="consent" Value="form.pdf"/>');
    expect(full).to.include(Buffer.from('%PDF').toString('base64'));
  });

  it("contains only the caller's group, and nothing identifying for de-identified access", async () => {
    const all = { exportSurveyFields: '1', exportDataAccessGroups: '1', exportFiles: '1' };

    const north = await xml({ token: NORTH_TOKEN, ...all });
    expect(subjects(north)).to.deep.equal(['1']);
    expect(north).not.to.include('Value="south"');
    const hidden = await xml({ token: HIDDEN_TOKEN, ...all });
    expect(subjects(hidden))
      .to.have.length(2)
      .and.satisfy((ids: string[]) => ids.every((id) => /^[0-9a-f]{32}$/.test(id)));
    for (const secret of ['Ada', 'form.pdf', 'person 1', '2026-02-01', 'JVBERg'])
      expect(hidden).not.to.include(`"${secret}`);
  });

  it('creates another project with a super token, without calculated values', async () => {
    const odm = await xml({ exportFiles: '1', exportDataAccessGroups: '1' });
    const data = JSON.stringify([{ project_title: 'A copy', purpose: '0' }]);
    const token = await textOf(sandbox, {
      token: SUPER_TOKEN,
      content: 'project',
      format: 'json',
      data,
      odm,
    });

    expect(token).to.match(/^[0-9A-F]{32}$/);
    const own = { content: 'record', 'fields[0]': 'id', 'fields[1]': 'weight', 'fields[2]': 'half' };
    const lines = async (form: Record<string, string>): Promise<string> =>
      textOf(sandbox, { ...own, ...form });
    expect(await lines({})).to.include('visit_arm_1,,1,70.0,35');
    expect(await lines({ token })).to.include('visit_arm_1,,1,70.0,\n');
    for (const content of ['metadata', 'event', 'formEventMapping', 'repeatingFormsEvents', 'instrument']) {
      expect(await textOf(sandbox, { token, content })).to.equal(await textOf(sandbox, { content }));
    }
    const about = (await jsonOf(sandbox, { token, content: 'project' })) as Record<string, unknown>;
    expect(about).to.include({ project_title: 'A copy', is_longitudinal: 1 });
  });

  it('creates no project from an invalid document', async () => {
    const data = JSON.stringify([{ project_title: 'A copy', purpose: '0' }]);
    const call = { token: SUPER_TOKEN, content: 'project', data };

    expect(await refusalOf(sandbox, { ...call, odm: '<records/>' })).to.include('"odm"');
    expect(await refusalOf(sandbox, { ...call, odm: '<!DOCTYPE ODM [<!ENTITY a "b">]><ODM/>' })).to.include(
      '"odm"',
    );
  });
});

describe('Records as ODM', () => {
  let sandbox: RedcapSandbox & { readonly token: string };

  before(async () => {
    sandbox = { ...(await startRedcapSandbox({ study: study() })), token: DEMO_TOKEN };
  });
  after(() => sandbox.close());

  it('round-trip unchanged', async () => {
    const before = await textOf(sandbox, { content: 'record' });
    const odm = await textOf(sandbox, { content: 'record', format: 'odm' });
    expect(odm).to.include('<ClinicalData ').and.not.include('<Study ');
    const ids = { 'records[0]': '1', 'records[1]': '2' };
    expect(await textOf(sandbox, { content: 'record', action: 'delete', ...ids })).to.equal('2');

    const { text, type } = await post(sandbox, {
      content: 'record',
      format: 'odm',
      returnFormat: 'json',
      data: odm,
    });

    expect([text, type]).to.deep.equal(['{"count":2}', 'application/json; charset=utf-8']);
    // A file column is ignored in an import.
    expect(await textOf(sandbox, { content: 'record' })).to.equal(before.replace('form.pdf', ''));
  });

  it('have a T in a date with a time, in and out, and no other text has', async () => {
    const base = armsStudy();
    const times = (name: string, validationType: string) => ({
      ...someField(name),
      instrument: 'enrol',
      validationType,
    });
    const study = {
      ...base,
      fields: [
        ...base.fields.filter(({ instrument }) => instrument === 'enrol'),
        times('seen_at', 'datetime_dmy'),
        times('exact', 'datetime_seconds_mdy'),
        times('day', 'date_ymd'),
        times('blank_text', ''),
        times('t_text', ''),
        ...base.fields.filter(({ instrument }) => instrument !== 'enrol'),
      ],
      rows: [],
    };
    const own = await startTestSandbox(study);
    const header = 'id,redcap_event_name,seen_at,exact,day,blank_text,t_text\n';
    const row =
      '7,start_arm_1,2026-03-29 02:30,2026-03-29 02:30:15,2026-03-29,2026-03-29 02:30,2026-03-29T02:30\n';
    await textOf(own, { content: 'record', data: header + row });
    const before = await textOf(own, { content: 'record' });

    for (const form of [{ content: 'record', format: 'odm' }, { content: 'project_xml' }]) {
      const odm = await textOf(own, form);
      for (const [name, value] of [
        ['seen_at', '2026-03-29T02:30'],
        ['exact', '2026-03-29T02:30:15'],
        ['day', '2026-03-29'],
        ['blank_text', '2026-03-29 02:30'],
        ['t_text', '2026-03-29T02:30'],
      ])
        expect(odm).to.include(`ItemOID="${name}" Value="${value}"`);
      await textOf(own, { content: 'record', action: 'delete', 'records[0]': '7' });
      await textOf(own, { content: 'record', format: 'odm', data: odm });
      expect(await textOf(own, { content: 'record' })).to.equal(before);
      const { study: read } = await readProjectXml(await textOf(own, { content: 'project_xml' }));
      expect(read.rows[0]).to.include({ seen_at: '2026-03-29 02:30', t_text: '2026-03-29T02:30' });
    }
    await own.close();
  });

  it('have every box of a form that was saved, and nothing of one that was not', async () => {
    const own = await startTestSandbox({ ...armsStudy(), rows: [] });
    const record = { content: 'record', format: 'odm' };
    const header = 'id,redcap_event_name,name,marks___2\n';
    await textOf(own, {
      content: 'record',
      format: 'csv',
      data: `${header}7,start_arm_1,Ada,0\n8,start_arm_1,,0\n`,
    });

    const saved = await textOf(own, { ...record, records: '7' });
    expect(saved)
      .to.include('ItemOID="enrol_complete" Value="0"')
      .and.include('ItemOID="marks___2" Value="0"');
    expect(await textOf(own, { ...record, records: '8' })).to.not.match(/marks___|enrol_complete/);
    await own.close();
  });

  it('are refused as a whole if they are invalid', async () => {
    const importing = { content: 'record', format: 'odm', returnFormat: 'json' };

    expect(await refusalOf(sandbox, { ...importing, data: '<ODM>' })).to.include('not formatted correctly');
    const data =
      '<ODM><ClinicalData><SubjectData SubjectKey="9"><FormData FormOID="Form.enrol"><ItemData ItemOID="mood" Value="?"/></FormData></SubjectData></ClinicalData></ODM>';
    expect(await refusalOf(sandbox, { ...importing, data })).to.include('not a valid category for mood');
    const second = data.replace('FormOID="Form.enrol"', '$& FormRepeatKey="2"');
    expect(await refusalOf(sandbox, { ...importing, data: second })).to.include('does not repeat');
    expect(await refusalOf(sandbox, { content: 'metadata', format: 'odm', returnFormat: 'json' })).to.include(
      '"format"',
    );
  });
});
