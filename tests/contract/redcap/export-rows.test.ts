import { expect } from 'chai';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { jsonOf, refusalOf, textOf, type TestSandbox } from './wire.js';

const record = { content: 'record' };

describe('The rows and columns of a record export', () => {
  let classic: TestSandbox;
  let longitudinal: TestSandbox;
  let arms: TestSandbox;

  before(async () => {
    classic = await startTestSandbox(classicStudy());
    longitudinal = await startTestSandbox(longitudinalStudy());
    arms = await startTestSandbox(armsStudy());
  });
  after(() => Promise.all([classic.close(), longitudinal.close(), arms.close()]));

  it('number the instances of a repeating event, and leave the instrument blank', async () => {
    expect(await textOf(arms, { ...record, fields: 'id,name,weight,visit_complete,drug' })).to.equal(
      [
        'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,name,weight,visit_complete,drug',
        '1,start_arm_1,,,Ada,,,',
        '1,start_arm_1,meds,1,,,,x',
        '1,visit_arm_1,,1,,70.0,0,',
        '1,visit_arm_1,,2,,71.5,0,',
        '2,start_arm_2,,,UNK,,,',
        '',
      ].join('\n'),
    );
  });

  it('are those of the events of a record, then its repeats, blank where a column does not apply', async () => {
    expect(await textOf(longitudinal, record)).to.equal(
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

  it('contain only text in JSON, except for the instance of a repeating row', async () => {
    expect(await jsonOf(arms, { ...record, records: '1', fields: 'id,pain,weight' })).to.deep.equal([
      row('start_arm_1', '', '', '40', ''),
      row('visit_arm_1', '', 1, '', '70.0'),
      row('visit_arm_1', '', 2, '', '71.5'),
    ]);

    function row(event: string, instrument: string, instance: number | string, pain: string, weight: string) {
      return {
        id: '1',
        redcap_event_name: event,
        redcap_repeat_instrument: instrument,
        redcap_repeat_instance: instance,
        pain,
        weight,
      };
    }
  });

  it('are items of records in XML, with every value in CDATA', async () => {
    expect(await textOf(classic, { ...record, format: 'xml', records: '2', fields: 'id,age' })).to.equal(
      '<?xml version="1.0" encoding="UTF-8" ?>\n<records>\n<item><id><![CDATA[2]]></id><age><![CDATA[30]]></age></item>\n</records>',
    );
    expect(await textOf(classic, { ...record, format: 'xml', records: 'none' })).to.equal(
      '<?xml version="1.0" encoding="UTF-8" ?>\n<records>\n</records>',
    );
  });

  it('omit event and instance without the id, as well as repeating rows that would be blank', async () => {
    expect(await textOf(arms, { ...record, fields: 'weight' })).to.equal('weight\n\n70.0\n71.5\n\n');
    expect(await textOf(arms, { ...record, fields: 'drug,name' })).to.equal('name,drug\nAda,\n,x\nUNK,\n');
  });

  it('name each record of a classic project if the id is requested, without blank repeating rows', async () => {
    const repeats = await startTestSandbox(
      repeatingClassicStudy([
        { id: '1', redcap_repeat_instrument: 'meds', redcap_repeat_instance: '1', drug: 'x' },
        { id: '1', redcap_repeat_instrument: 'meds', redcap_repeat_instance: '2', drug: 'y' },
        { id: '2', age: '30' },
        { id: '2', redcap_repeat_instrument: 'meds', redcap_repeat_instance: '1', drug: 'z' },
      ]),
    );
    try {
      expect(await textOf(repeats, { ...record, fields: 'id' })).to.equal(
        'id,redcap_repeat_instrument,redcap_repeat_instance\n1,,\n2,,\n',
      );
    } finally {
      await repeats.close();
    }
  });

  it('contain the requested instruments and fields together', async () => {
    const header = async (form: Record<string, string>): Promise<string | undefined> =>
      (await textOf(longitudinal, { ...record, ...form })).split('\n')[0];

    expect(await header({ forms: 'visit' })).to.equal('pulse,visit_complete');
    expect(await header({ forms: 'visit', fields: 'age' })).to.equal('age,pulse,visit_complete');
    expect(await header({ 'forms[0]': 'meds', 'forms[1]': 'base' })).to.equal(
      'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,age,sites___1,sites___2,sites____99,base_complete,drug,meds_complete',
    );
    expect(await header({ fields: 'base_complete,sites' })).to.equal(
      'sites___1,sites___2,sites____99,base_complete',
    );
  });

  it('accept an instrument name with blanks for underscores', async () => {
    const study = classicStudy();
    const fields = study.fields.map((field) => ({ ...field, instrument: 'the_base' }));
    const instruments = [{ name: 'the_base', label: 'Base' }];
    const rows = [{ id: '1', age: '3' }];
    const sandbox = await startTestSandbox({ ...study, fields, instruments, rows });

    expect(await textOf(sandbox, { ...record, forms: 'the base' })).to.match(/^id,age,/);
    await sandbox.close();
  });

  it('are those of the requested events', async () => {
    expect(await textOf(longitudinal, { ...record, fields: 'id,pulse', events: 'end_arm_1' })).to.equal(
      'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,pulse\nA-1,end_arm_1,,,70\n',
    );
    expect(await textOf(longitudinal, { ...record, fields: 'pulse', 'events[]': 'end_arm_1' })).to.equal(
      'pulse\n70\n',
    );
    expect(await textOf(classic, { ...record, fields: 'id', events: 'end_arm_1' })).to.equal(
      'id\n2\n10\nA-1\n',
    );
  });

  for (const [parameter, value, names] of [
    ['fields', 'redcap_event_name', "'redcap_event_name'"],
    ['fields', 'sites___1', "'sites___1'"],
    ['fields', 'age,constructor,x', "'constructor', 'x'"],
    ['forms', 'base,nope', "'nope'"],
    ['events', 'nowhere_arm_1', "'nowhere_arm_1'"],
  ] as const) {
    it(`refuse ${value} in ${parameter}`, async () => {
      expect(await refusalOf(longitudinal, { ...record, [parameter]: value })).to.equal(
        `The following values in the parameter "${parameter}" are not valid: ${names}`,
      );
    });
  }

  it('accept every field name of the dictionary, including descriptive fields, as PyCap sends them', async () => {
    const all = classicStudy().fields.map(({ name }, index) => [`fields[${index}]`, name]);

    expect(
      await textOf(classic, { ...record, ...Object.fromEntries(all), 'fields[99]': 'base_complete' }),
    ).to.equal(await textOf(classic, record));
    expect(await textOf(classic, { ...record, fields: 'intro' })).to.equal('\n');
  });

  it('contain the survey identifier on request if surveys are enabled', async () => {
    const header = async (sandbox: TestSandbox): Promise<string | undefined> =>
      (await textOf(sandbox, { ...record, fields: 'id', exportSurveyFields: 'true' })).split('\n')[0];

    expect(await header(arms)).to.equal(
      'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,redcap_survey_identifier',
    );
    expect(await header(classic)).to.equal('id');
    expect(await textOf(classic, { ...record, fields: 'id', exportDataAccessGroups: 'true' })).to.match(
      /^id\n/,
    );
  });

  it('are in natural order of the record ids, whatever the order of the request', async () => {
    const ids = ['b', '10', 'a', '9', 'B', '007'];
    const sandbox = await startTestSandbox({ ...classicStudy(), rows: ids.map((id) => ({ id })) });

    expect(await textOf(sandbox, { ...record, fields: 'id' })).to.equal('id\n007\n9\n10\nB\na\nb\n');
    expect(await textOf(sandbox, { ...record, fields: 'id', records: 'b,10,9' })).to.equal('id\n9\n10\nb\n');
    await sandbox.close();
  });

  it('are those changed between two times, both included', async () => {
    let now = new Date('2026-05-01T10:00:00Z');
    const sandbox = await startTestSandbox({ ...classicStudy() });
    Object.defineProperty(sandbox.project, 'clock', { value: () => now });
    const change = async (id: string, time: string): Promise<void> => {
      now = new Date(`2026-05-01T${time}Z`);
      await textOf(sandbox, { ...record, data: `id,sex\n${id},1\n` });
    };
    const between = (begin: string, end: string): Promise<string> =>
      textOf(sandbox, {
        ...record,
        fields: 'id',
        dateRangeBegin: begin && `2026-05-01 ${begin}`,
        dateRangeEnd: end && `2026-05-01 ${end}`,
      });
    await change('2', '10:00:00');
    await change('10', '11:00:00');

    expect(await between('09:59:59', '')).to.equal('id\n2\n10\n');
    expect(await between('10:00:00', '')).to.equal('id\n2\n10\n');
    expect(await between('10:00:01', '')).to.equal('id\n10\n');
    expect(await between('09:59:59', '11:00:00')).to.equal('id\n2\n10\n');
    expect(await between('09:59:59', '10:59:59')).to.equal('id\n2\n');
    expect(await between('', '10:00:00')).to.equal('id\n2\nA-1\n');
    expect(await between('10:00', '10:00')).to.equal('id\n2\n');
    expect(await between('', '09:59:59')).to.equal('id\nA-1\n');
    await sandbox.close();
  });
});

/** A classic project in which `meds` repeats. */
function repeatingClassicStudy(rows: Study['rows']): Study {
  const repeating = [{ event: '', instrument: 'meds', customLabel: '' }];
  return { ...longitudinalStudy(), arms: [], events: [], mappings: [], repeating, rows };
}
