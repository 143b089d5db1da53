import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf, type TestSandbox } from './wire.js';

const record = { content: 'record' };
const FORMAT =
  'The value you provided could not be validated because it does not follow the expected format. Please try again.';

describe('The errors of a record import, cell by cell', () => {
  let classic: TestSandbox;
  let arms: TestSandbox;

  before(async () => {
    classic = await startTestSandbox(classicStudy());
    arms = await startTestSandbox(armsStudy());
  });
  after(() => Promise.all([classic.close(), arms.close()]));

  it('consist of four quoted cells per line, with quotes doubled, in every format', async () => {
    const data = JSON.stringify([
      { id: '2', age: 'a "b"' },
      { id: 'A-1', sex: '<3>' },
    ]);
    const lines = `"2","age","a ""b""","${FORMAT}"\n"A-1","sex","<3>","The value is not a valid category for sex"`;
    const answer = async (returnFormat: string): Promise<string> =>
      (await post(classic, { ...record, format: 'json', returnFormat, data })).text;

    expect(await answer('csv')).to.equal(`ERROR: ${lines}`);
    expect(JSON.parse(await answer('json'))).to.deep.equal({ error: lines });
    expect(await answer('xml')).to.equal(
      `<?xml version="1.0" encoding="UTF-8" ?><hash><error>${lines.replace('<3>', '&lt;3&gt;')}</error></hash>`,
    );
  });

  for (const [field, value, message] of [
    ['age', '1.5', FORMAT],
    ['weight', '1,5', FORMAT],
    ['born', '29/02/1996', FORMAT],
    ['born', '1997-02-29', FORMAT],
    ['born', 'not YMD: 1997-02-20', FORMAT],
    ['sex', 'Female', 'The value is not a valid category for sex'],
    ['sites___1', '2', 'The value is not a valid category for sites___1'],
    ['base_complete', '3', 'The value is not a valid category for base_complete'],
  ] as const) {
    it(`refuse ${value} for ${field}`, async () => {
      expect(
        await refusalOf(classic, { ...record, data: JSON.stringify([{ id: '2', [field]: value }]) }),
      ).to.equal(`"2","${field}","${value}","${message}"`);
    });
  }

  it('refuse a date in another format than the one in force', async () => {
    for (const [dateFormat, born] of [
      ['YMD', '28/02/1996'],
      ['MDY', '28/02/1996'],
      ['DMY', '02/28/1996'],
    ] as const) {
      const data = JSON.stringify([{ id: '2', born }]);
      expect(await refusalOf(classic, { ...record, data, dateFormat })).to.equal(
        `"2","born","${born}","${FORMAT}"`,
      );
    }
  });

  for (const [what, row, field, value, message] of [
    [
      'a field of an instrument that is not at the event',
      { redcap_event_name: 'start_arm_2', drug: 'y' },
      'drug',
      'y',
      "This field ('drug') exists on an instrument that is not designated for the event named 'Start (Arm 2: Drug B)'. You are not allowed to import data for this field into this event.",
    ],
    [
      'a repeating field on a base row',
      { redcap_event_name: 'start_arm_1', drug: 'y' },
      'drug',
      'y',
      "This field ('drug') exists on a Repeating Instrument named 'The meds'. However, the fields 'redcap_repeat_instance' and/or 'redcap_repeat_instrument' for this row of data have no value, which are both required. You are not allowed to import data for this field into a non-repeating instrument.",
    ],
    [
      'a base field on the row of a repeating instrument',
      {
        redcap_event_name: 'start_arm_1',
        redcap_repeat_instrument: 'meds',
        redcap_repeat_instance: '1',
        name: 'y',
      },
      'name',
      'y',
      "This field ('name') does not exist on the Repeating Instrument of this row of data.",
    ],
    [
      'an instrument that does not repeat',
      {
        redcap_event_name: 'start_arm_1',
        redcap_repeat_instrument: 'enrol',
        redcap_repeat_instance: '1',
        name: 'y',
      },
      'redcap_repeat_instrument',
      'enrol',
      'redcap_repeat_instrument must be the unique form name of a Repeating Instrument. It currently does not match the unique form name of any Repeating Instruments.  Please fix this in the data import file and try again.',
    ],
    [
      'an instance where nothing repeats',
      { redcap_event_name: 'start_arm_1', redcap_repeat_instance: '1', name: 'y' },
      'redcap_repeat_instance',
      '1',
      'redcap_repeat_instance cannot have a value since this instrument or event is not a repeating instrument or repeating event, respectively.  The redcap_repeat_instance field must be left blank for this row of data.',
    ],
    [
      'an instance that is not a positive number',
      { redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '0', weight: '70.0' },
      'redcap_repeat_instance',
      '0',
      'redcap_repeat_instance must be a whole number from 1 on, or new.',
    ],
    [
      'a data access group, of which there are none',
      { redcap_event_name: 'start_arm_1', redcap_data_access_group: 'north', name: 'y' },
      'redcap_data_access_group',
      'north',
      'The value is not a valid category for redcap_data_access_group',
    ],
    [
      'a missing data code for a checkbox',
      { redcap_event_name: 'start_arm_1', marks___aa: 'UNK' },
      'marks___aa',
      'UNK',
      'The value is not a valid category for marks___aa',
    ],
    [
      'a number with another count of decimals',
      { redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '1', weight: '70' },
      'weight',
      '70',
      FORMAT,
    ],
    [
      'a slider that is not a number',
      { redcap_event_name: 'start_arm_1', pain: 'much' },
      'pain',
      'much',
      FORMAT,
    ],
    [
      'a yes that is a word',
      { redcap_event_name: 'start_arm_1', smoker: 'Yes' },
      'smoker',
      'Yes',
      'The value is not a valid category for smoker',
    ],
  ] as const) {
    it(`refuse ${what}`, async () => {
      expect(await refusalOf(arms, { ...record, data: JSON.stringify([{ id: '1', ...row }]) })).to.equal(
        `"1","${field}","${value}","${message}"`,
      );
    });
  }

  it('omit the arm of an event in a project with one arm', async () => {
    const study = armsStudy();
    const single = await startTestSandbox({
      ...study,
      arms: study.arms.filter(({ number }) => number === 1),
      events: study.events.filter(({ arm }) => arm === 1),
      rows: [],
    });

    expect(
      await refusalOf(single, {
        ...record,
        data: '[{"id":"1","redcap_event_name":"visit_arm_1","redcap_repeat_instance":"1","drug":"y"}]',
      }),
    ).to.include("designated for the event named 'Visit'. You");
    await single.close();
  });

  it('change nothing: valid rows of the same import are not stored either', async () => {
    const before = await textOf(classic, record);

    await refusalOf(classic, {
      ...record,
      data: '[{"id":"2","age":"31"},{"id":"new"},{"id":"10","age":"x"}]',
    });
    expect(await textOf(classic, record)).to.equal(before);
  });

  it('do not include limits, required fields or branching logic', async () => {
    expect(await jsonOf(classic, { ...record, data: '[{"id":"soft","age":"-5"}]' })).to.deep.equal({
      count: 1,
    });
  });

  it('do not include missing data codes and blank files', async () => {
    const row = { redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '1', weight: 'UNK', seen: '-9' };
    const data = JSON.stringify([
      { id: '3', ...row },
      { id: '3', redcap_event_name: 'start_arm_1', consent: '', mood: 'UNK' },
    ]);

    expect(await jsonOf(arms, { ...record, data })).to.deep.equal({ count: 1 });
    expect(await jsonOf(arms, { ...record, records: '3', fields: 'mood,weight,seen,half' })).to.deep.equal([
      { mood: 'UNK', weight: '', seen: '', half: '' },
      { mood: '', weight: 'UNK', seen: '-9', half: '' },
    ]);
  });
});
