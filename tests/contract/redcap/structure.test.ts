import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';
import { jsonOf, post, refusalOf, textOf, type TestSandbox } from './wire.js';

const METADATA_COLUMNS = [
  'field_name',
  'form_name',
  'section_header',
  'field_type',
  'field_label',
  'select_choices_or_calculations',
  'field_note',
  'text_validation_type_or_show_slider_number',
  'text_validation_min',
  'text_validation_max',
  'identifier',
  'branching_logic',
  'required_field',
  'custom_alignment',
  'question_number',
  'matrix_group_name',
  'matrix_ranking',
  'field_annotation',
];

describe('The structure that the REDCap sandbox exports', () => {
  let classic: TestSandbox;
  let longitudinal: TestSandbox;
  let arms: TestSandbox;

  before(async () => {
    classic = await startTestSandbox(classicStudy());
    longitudinal = await startTestSandbox(longitudinalStudy());
    arms = await startTestSandbox(armsStudy());
  });
  after(() => Promise.all([classic.close(), longitudinal.close(), arms.close()]));

  it('has a data dictionary of eighteen ordered columns, all text', async () => {
    const rows = (await jsonOf(classic, { content: 'metadata' })) as Record<string, string>[];

    expect(rows.map((row) => row.field_name)).to.deep.equal([
      'id',
      'age',
      'sites',
      'sex',
      'intro',
      'born',
      'twice',
      'weight',
    ]);
    for (const row of rows) expect(Object.keys(row)).to.deep.equal(METADATA_COLUMNS);
    expect(Object.values(rows[1] ?? {})).to.deep.equal([
      'age',
      'base',
      '',
      'text',
      'Age',
      '',
      '',
      'integer',
      '0',
      '99',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
    ]);
  });

  it('has the same data dictionary in CSV, with the names of the API', async () => {
    const lines = (await textOf(classic, { content: 'metadata', fields: 'sites' })).split('\n');

    expect(lines).to.deep.equal([
      METADATA_COLUMNS.join(','),
      'sites,base,,checkbox,Sites,"1, North | 2, South, far | -99, Unknown",,,,,,,,,,,,',
      '',
    ]);
  });

  it('has the requested fields together with those of the requested instruments', async () => {
    const names = async (form: Record<string, string>): Promise<unknown> =>
      ((await jsonOf(longitudinal, { content: 'metadata', ...form })) as { field_name: string }[]).map(
        (row) => row.field_name,
      );

    expect(await names({ fields: 'drug,age' })).to.deep.equal(['age', 'drug']);
    expect(await names({ 'forms[0]': 'visit' })).to.deep.equal(['pulse']);
    expect(await names({ fields: 'id', forms: 'meds' })).to.deep.equal(['id', 'drug']);
    expect(await refusalOf(longitudinal, { content: 'metadata', fields: 'age,nope' })).to.equal(
      'The following values in the parameter "fields" are not valid: \'nope\'',
    );
    expect(await refusalOf(longitudinal, { content: 'metadata', forms: 'a,b' })).to.equal(
      "The following values in the parameter \"forms\" are not valid: 'a', 'b'",
    );
  });

  it('has the instruments, with labels always quoted in CSV', async () => {
    expect(await jsonOf(longitudinal, { content: 'instrument' })).to.deep.equal([
      { instrument_name: 'base', instrument_label: 'The base' },
      { instrument_name: 'visit', instrument_label: 'The visit' },
      { instrument_name: 'meds', instrument_label: 'The meds' },
    ]);
    const study = classicStudy();
    const named = await startTestSandbox({ ...study, instruments: [{ name: 'base', label: 'Base' }] });
    expect(await textOf(named, { content: 'instrument' })).to.equal(
      'instrument_name,instrument_label\nbase,"Base"\n',
    );
    await named.close();
  });

  it('has the arms with events, with numeric numbers, and without a final line feed in CSV', async () => {
    expect(await jsonOf(arms, { content: 'arm' })).to.deep.equal([
      { arm_num: 1, name: 'Drug A' },
      { arm_num: 2, name: 'Drug B' },
    ]);
    expect(await textOf(arms, { content: 'arm' })).to.equal('arm_num,name\n1,"Drug A"\n2,"Drug B"');
    expect(await jsonOf(arms, { content: 'arm', arms: '2' })).to.deep.equal([{ arm_num: 2, name: 'Drug B' }]);
    expect(await textOf(arms, { content: 'arm', arms: '9' })).to.equal('arm_num,name');
  });

  it('has the events, numbered, by arm', async () => {
    expect(await jsonOf(arms, { content: 'event', 'arms[0]': '2' })).to.deep.equal([
      {
        event_name: 'Start',
        arm_num: 2,
        unique_event_name: 'start_arm_2',
        custom_event_label: '',
        event_id: 3,
      },
    ]);
    expect(await textOf(arms, { content: 'event' })).to.equal(
      [
        'event_name,arm_num,unique_event_name,custom_event_label,event_id',
        'Start,1,start_arm_1,,1',
        'Visit,1,visit_arm_1,,2',
        'Start,2,start_arm_2,,3',
        '',
      ].join('\n'),
    );
  });

  it('has the instruments of the events, without a final line feed in CSV', async () => {
    expect(await jsonOf(arms, { content: 'formEventMapping', arms: '2' })).to.deep.equal([
      { arm_num: 2, unique_event_name: 'start_arm_2', form: 'enrol' },
    ]);
    expect(await textOf(arms, { content: 'formEventMapping' })).to.equal(
      'arm_num,unique_event_name,form\n1,start_arm_1,enrol\n1,start_arm_1,meds\n1,visit_arm_1,visit\n2,start_arm_2,enrol',
    );
  });

  it('has repeating instruments by name and repeating events with a blank, with unquoted labels in CSV', async () => {
    expect(await jsonOf(arms, { content: 'repeatingFormsEvents' })).to.deep.equal([
      { event_name: 'start_arm_1', form_name: 'meds', custom_form_label: '[drug] taken' },
      { event_name: 'visit_arm_1', form_name: '', custom_form_label: '' },
    ]);
    expect(await textOf(arms, { content: 'repeatingFormsEvents' })).to.equal(
      'event_name,form_name,custom_form_label\nstart_arm_1,meds,[drug] taken\nvisit_arm_1,,\n',
    );
  });

  it('names no event for repeating instruments in a classic project', async () => {
    const study = classicStudy();
    const repeating = [{ event: '', instrument: 'base', customLabel: '' }];
    const sandbox = await startTestSandbox({ ...study, repeating, rows: [] });

    expect(await textOf(sandbox, { content: 'repeatingFormsEvents' })).to.equal(
      'form_name,custom_form_label\nbase,\n',
    );
    await sandbox.close();
  });

  for (const [content, text] of [
    ['arm', 'You cannot export arms for classic projects'],
    ['event', 'You cannot export events for classic projects'],
    ['formEventMapping', 'You cannot export form/event mappings for classic projects'],
    [
      'repeatingFormsEvents',
      'You cannot export repeating instruments and events because the project does not contain any repeating instruments and events',
    ],
  ] as const) {
    it(`has no ${content} in a classic project without repeats, and reports that in every format`, async () => {
      expect(await post(classic, { content, format: 'csv' })).to.include({
        status: 400,
        text: `ERROR: ${text}`,
      });
      expect(await refusalOf(classic, { content })).to.equal(text);
      expect((await post(classic, { content })).text).to.include(`<error>${text}</error>`);
    });
  }

  it('has the export columns: one per checkbox choice, form status, no files and no descriptive fields', async () => {
    expect(await textOf(arms, { content: 'exportFieldNames' })).to.equal(
      [
        'original_field_name,choice_value,export_field_name',
        'id,,id',
        'name,,name',
        'alive,,alive',
        'smoker,,smoker',
        'mood,,mood',
        'marks,Aa,marks___aa',
        'marks,2,marks___2',
        'marks,UNK,marks___unk',
        'marks,-9,marks____9',
        'pain,,pain',
        'note,,note',
        'enrol_complete,,enrol_complete',
        'weight,,weight',
        'seen,,seen',
        'half,,half',
        'visit_complete,,visit_complete',
        'drug,,drug',
        'meds_complete,,meds_complete',
        '',
      ].join('\n'),
    );
  });

  it('has the export columns of one field, and refuses an unknown field', async () => {
    expect(await jsonOf(arms, { content: 'exportFieldNames', 'field[0]': 'marks' })).to.deep.equal([
      { original_field_name: 'marks', choice_value: 'Aa', export_field_name: 'marks___aa' },
      { original_field_name: 'marks', choice_value: '2', export_field_name: 'marks___2' },
      { original_field_name: 'marks', choice_value: 'UNK', export_field_name: 'marks___unk' },
      { original_field_name: 'marks', choice_value: '-9', export_field_name: 'marks____9' },
    ]);
    expect(await refusalOf(arms, { content: 'exportFieldNames', field: 'marks___aa' })).to.equal(
      'The value of the parameter "field" is not valid',
    );
  });
});
