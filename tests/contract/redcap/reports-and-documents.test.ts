import { expect } from 'chai';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy, STUDY_NAMES } from '../../../src/sandbox/named-study.js';
import type { StudyReport } from '../../../src/sandbox/redcap/study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

type Row = Readonly<Record<string, unknown>>;

const record = { content: 'record' };

/** More of what real servers do: docs/protocol/redcap.md 20. */
describe('An export of some fields by the REDCap sandbox', () => {
  for (const [study, create] of [
    ['longitudinal', longitudinalStudy],
    ['classic', () => ({ ...longitudinalStudy(), ...asClassic() })],
  ] as const) {
    it(`has no row for the instances of an instrument that was not asked for, in a ${study} project`, async () => {
      const sandbox = await startTestSandbox(create());
      const instruments = async (form: Form): Promise<unknown[]> =>
        ((await jsonOf(sandbox, { ...record, ...form })) as Row[]).map((row) => row.redcap_repeat_instrument);
      const bases = study === 'classic' ? [''] : ['', ''];

      for (const form of [
        { fields: 'id,age' },
        { fields: 'id' },
        { forms: 'base' },
        { fields: 'id', forms: 'visit' },
      ])
        expect(await instruments(form)).to.deep.equal(bases);

      for (const form of [{ fields: 'id,drug' }, { fields: 'id', forms: 'meds' }, {}])
        expect(await instruments(form)).to.deep.equal([...bases, 'meds', 'meds']);
      await sandbox.close();
    });
  }

  function asClassic(): Partial<ReturnType<typeof longitudinalStudy>> {
    return {
      ...{ arms: [], events: [], mappings: [] },
      repeating: [{ event: '', instrument: 'meds', customLabel: '' }],
      rows: [
        { id: '1', age: '4' },
        { id: '1', redcap_repeat_instrument: 'meds', redcap_repeat_instance: '1', drug: 'x' },
        { id: '1', redcap_repeat_instrument: 'meds', redcap_repeat_instance: '2', drug: 'y' },
      ],
    };
  }

  it('has a row for each instance of a repeating event, and for a record with instances alone', async () => {
    const arms = armsStudy();
    const alone = { redcap_event_name: 'start_arm_1', redcap_repeat_instrument: 'meds', drug: 'x' };
    const sandbox = await startTestSandbox({
      ...arms,
      rows: [...arms.rows, { id: '3', redcap_repeat_instance: '1', ...alone }],
    });

    expect(await textOf(sandbox, { ...record, fields: 'id,name' })).to.equal(
      [
        'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,name',
        '1,start_arm_1,,,Ada',
        '1,visit_arm_1,,1,',
        '1,visit_arm_1,,2,',
        '2,start_arm_2,,,UNK',
        '3,start_arm_1,,,',
        '',
      ].join('\n'),
    );
    await sandbox.close();
  });
});

describe('A report of the REDCap sandbox, loaded from project XML', () => {
  const superToken = 'C'.repeat(64);
  const groups = [
    { name: 'North', uniqueName: 'north', id: 1 },
    { name: 'South', uniqueName: 'south', id: 2 },
  ];
  const base = { title: 'R', fields: ['id', 'pulse'], filterLogic: '' };
  const reports: StudyReport[] = [
    { id: 1, ...base, filterEvents: ['end_arm_1'] },
    { id: 2, ...base, filterGroups: ['south'] },
    { id: 3, ...base, filterLogic: '[pulse] = 60', isFilteredByRecord: true },
    { id: 4, ...base, filterLogic: '[pulse] = 60' },
    { id: 5, ...base, filterLogic: '[pulse] = 60', isFilteredByRecord: true, filterEvents: ['end_arm_1'] },
    { id: 6, ...base, filterLogic: '[pulse] = 1', isFilteredByRecord: true },
    { id: 7, ...base, others: { output_dags: '1' } },
  ];
  let sandbox: TestSandbox;

  before(async () => {
    const study = longitudinalStudy();
    const started = await startRedcapSandbox({
      superToken,
      study: {
        ...study,
        groups,
        reports,
        rows: [
          ...study.rows.map((row) => ({ ...row, redcap_data_access_group: 'north' })),
          { id: 'B', redcap_event_name: 'end_arm_1', pulse: '80', redcap_data_access_group: 'south' },
        ],
      },
    });
    const source = { ...started, token: DEMO_TOKEN };
    const odm = await textOf(source, { content: 'project_xml', exportDataAccessGroups: 'true' });
    const token = await textOf(
      { ...started, token: superToken },
      { content: 'project', format: 'json', data: '[{"project_title":"Copy","purpose":0}]', odm },
    );
    sandbox = { ...started, token };
  });
  after(() => sandbox.close());

  for (const [id, rows] of [
    [1, ['A-1,end_arm_1,,,70', 'B,end_arm_1,,,80']],
    [2, ['B,end_arm_1,,,80']],
    [3, ['A-1,start_arm_1,,,60', 'A-1,end_arm_1,,,70']],
    [4, ['A-1,start_arm_1,,,60']],
    [5, ['A-1,end_arm_1,,,70']],
    [6, []],
    [7, ['A-1,start_arm_1,,,north,60', 'A-1,end_arm_1,,,north,70', 'B,end_arm_1,,,south,80']],
  ] as const) {
    it(`keeps its filters and settings: report ${id}`, async () => {
      const lines = (await textOf(sandbox, { content: 'report', report_id: String(id) })).trim().split('\n');

      expect(lines.slice(1)).to.deep.equal(rows);
    });
  }

  it('writes them to project XML again', async () => {
    const xml = await textOf(sandbox, { content: 'project_xml', returnMetadataOnly: 'true' });

    expect(xml).to.include('redcap_reports_filter_events="end_arm_1"');
    expect(xml).to.include('redcap_reports_filter_dags="south"');
    expect(xml.match(/filter_type="RECORD"/g)).to.have.length(3);
  });
});

describe('Documents of the REDCap sandbox', () => {
  for (const name of STUDY_NAMES) {
    it(`can be downloaded if the ${name} study names them`, async () => {
      const sandbox = await startTestSandbox(await createNamedStudy({ study: name, until: LAST_DAY }));
      const rows = (await jsonOf(sandbox, { ...record, fields: 'record_id,consent_form' })) as Row[];
      const named = rows.filter(({ consent_form }) => consent_form !== '');
      expect(named.length).to.be.greaterThan(10);

      for (const row of named) {
        const { record_id, redcap_event_name = '' } = row as Record<string, string>;
        const place = { record: record_id, event: redcap_event_name, field: 'consent_form' };
        const { status, type, text } = await post(sandbox, { content: 'file', action: 'export', ...place });
        expect([status, type]).to.deep.equal([200, `application/pdf; name="${String(row.consent_form)}"`]);
        expect(text).to.match(/^%PDF-/);
      }
      await sandbox.close();
    });
  }

  for (const [what, form] of [
    ['a blank form', {}],
    ['a record', { record: '2' }],
    ['a record without blanks', { record: '3' }],
    ['all records', { allRecords: '' }],
    ['one instrument', { instrument: 'base', record: '10' }],
  ] as const) {
    it(`are smaller in compact display: ${what}`, async () => {
      const filled = { id: '3', age: '1', sites___1: '1', sites___2: '1', sites____99: '1', sex: '1' };
      const classic = classicStudy();
      const sandbox = await startTestSandbox({
        ...classic,
        rows: [
          ...classic.rows,
          { ...filled, born: '2000-01-01', twice: '2', weight: '3', base_complete: '2' },
        ],
      });
      const size = async (compactDisplay: string): Promise<number> =>
        (await post(sandbox, { content: 'pdf', ...form, compactDisplay })).text.length;

      expect(await size('TRUE')).to.be.lessThan(await size('FALSE'));
      await sandbox.close();
    });
  }
});

describe('The address of the REDCap sandbox', () => {
  it('serves external modules, of which it has none, and refuses no token of theirs', async () => {
    const sandbox = await startTestSandbox(classicStudy());

    for (const init of [{}, { method: 'POST', body: new URLSearchParams({ token: 'nobody' }) }]) {
      const answer = await fetch(`${sandbox.url}?NOAUTH&type=module&prefix=locking_api&page=status`, init);

      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.match(/^text\/html/);
      const text = await answer.text();
      expect(text).to.include('no external modules');
      expect(() => void JSON.parse(text)).to.throw(SyntaxError);
    }
    await sandbox.close();
  });

  it('names the event first when an import of repeating instruments fits nothing', async () => {
    const sandbox = await startTestSandbox(classicStudy());
    const importing = (row: Row): Promise<string> =>
      refusalOf(sandbox, { content: 'repeatingFormsEvents', action: 'import', data: JSON.stringify([row]) });

    expect(await importing({ event_name: 'no_arm_1', form_name: 'nothing' })).to.equal(
      "event 'no_arm_1' is not available in project",
    );
    expect(await importing({ event_name: 'event_1_arm_1', form_name: 'nothing' })).to.equal(
      "event 'event_1_arm_1' is not available in project",
    );
    expect(await importing({ form_name: 'nothing' })).to.equal("form 'nothing' is not available in project");
    await sandbox.close();
  });

  it('takes a row without an event for the first event, even where that has no form', async () => {
    const study = longitudinalStudy();
    const mappings = study.mappings.filter(({ event }) => event !== 'start_arm_1');
    const sandbox = await startTestSandbox({ ...study, mappings, repeating: [], rows: [] });

    expect(await refusalOf(sandbox, { ...record, data: '[{"id":"1","pulse":"60"}]' })).to.include(
      "This field ('pulse') exists on an instrument that is not designated for the event named 'start'.",
    );
    expect(await textOf(sandbox, { ...record, data: 'id\n1\n' })).to.equal('1');
    expect(await textOf(sandbox, { ...record, fields: 'id' })).to.equal(
      'id,redcap_event_name\n1,start_arm_1\n',
    );
    await sandbox.close();
  });
});
