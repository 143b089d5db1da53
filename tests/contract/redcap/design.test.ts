import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy, longitudinalStudy } from '../../support/studies.js';
import { jsonOf, refusalOf, textOf, type Form, type TestSandbox } from './wire.js';

const send = (content: string, rows: unknown, more: Form = {}): Form => ({
  content,
  action: 'import',
  data: JSON.stringify(rows),
  ...more,
});

describe('Changing the design of a project of the REDCap sandbox', () => {
  let classic: TestSandbox;
  let longitudinal: TestSandbox;

  beforeEach(async () => {
    classic = await startTestSandbox(classicStudy());
    longitudinal = await startTestSandbox(longitudinalStudy());
  });
  afterEach(() => Promise.all([classic.close(), longitudinal.close()]));

  it('adds arms, renames existing ones, and replaces them all with override', async () => {
    const arms = [
      { arm_num: 1, name: 'Placebo' },
      { arm_num: 2, name: 'Drug' },
    ];
    expect(await jsonOf(longitudinal, send('arm', arms))).to.equal(2);
    await jsonOf(longitudinal, send('event', [{ event_name: 'Start', arm_num: 2 }]));
    expect(await jsonOf(longitudinal, { content: 'arm' })).to.deep.equal(arms);

    await jsonOf(longitudinal, send('arm', [{ arm_num: 1, name: 'Only' }], { override: '1' }));
    expect(await jsonOf(longitudinal, { content: 'arm' })).to.deep.equal([{ arm_num: 1, name: 'Only' }]);
  });

  it('deletes an arm with its events and their data', async () => {
    await jsonOf(longitudinal, send('arm', [{ arm_num: 2, name: 'Drug' }]));
    await jsonOf(longitudinal, send('event', [{ event_name: 'Other', arm_num: 2 }]));
    await textOf(longitudinal, { content: 'record', data: 'id,redcap_event_name\nX,other_arm_2\n' });

    expect(await jsonOf(longitudinal, { content: 'arm', action: 'delete', 'arms[0]': '2' })).to.equal(1);

    expect(longitudinal.project.event('other_arm_2')).to.equal(undefined);
    expect(longitudinal.project.records.ids).to.deep.equal(['A-1']);
  });

  it('derives the unique names of events from their labels, with a letter added to a duplicate', async () => {
    await jsonOf(
      longitudinal,
      send('event', [
        { event_name: 'Follow-up visit at the clinic', arm_num: 1 },
        { event_name: 'Follow-up visit at the hospital', arm_num: 1 },
      ]),
    );

    expect(longitudinal.project.study.events.map(({ uniqueName }) => uniqueName)).to.include.members([
      'follow_up_visit_at_arm_1',
      'follow_up_visit_at_arm_1b',
    ]);
  });

  it('keeps the number of an event, and does not reuse it', async () => {
    const numbers = async (): Promise<unknown> =>
      Object.fromEntries(
        ((await jsonOf(longitudinal, { content: 'event' })) as Record<string, unknown>[]).map((event) => [
          event.unique_event_name,
          event.event_id,
        ]),
      );
    await jsonOf(longitudinal, send('event', [{ event_name: 'Third' }, { event_name: 'Fourth' }]));
    await textOf(longitudinal, { content: 'event', action: 'delete', events: 'start_arm_1,fourth_arm_1' });
    await jsonOf(longitudinal, send('event', [{ event_name: 'Fifth' }]));
    const named = { event_name: 'Last', unique_event_name: 'end_arm_1' };
    await jsonOf(longitudinal, send('event', [named, { ...named, event_name: 'Sixth' }]));

    expect(await numbers()).to.deep.equal({ last_arm_1: 2, third_arm_1: 3, fifth_arm_1: 5, sixth_arm_1: 6 });
  });

  it('keeps records, mappings, repeating instruments and files of a renamed event', async () => {
    const { project } = longitudinal;
    project.documents.put(
      { record: 'A-1', event: 'end_arm_1', instrument: '', instance: 0, field: 'pulse' },
      { name: 'a', type: 'text/plain', bytes: Buffer.from('a') },
    );
    const rename = (from: string, event_name: string): object => ({
      unique_event_name: from,
      event_name,
      arm_num: 1,
    });

    // The second event takes the name that the first gives up, and the first is renamed twice.
    await jsonOf(
      longitudinal,
      send('event', [
        rename('start_arm_1', 'First'),
        rename('end_arm_1', 'Start'),
        rename('first_arm_1', 'Baseline'),
      ]),
    );

    expect(await textOf(longitudinal, { content: 'record', fields: 'id,pulse,drug' })).to.equal(
      [
        'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,pulse,drug',
        'A-1,baseline_arm_1,,,60,',
        'A-1,start_arm_1,,,70,',
        'A-1,baseline_arm_1,meds,1,,"drug x"',
        'A-1,baseline_arm_1,meds,2,,"drug y"',
        '',
      ].join('\n'),
    );
    expect(await textOf(longitudinal, { content: 'formEventMapping' })).to.include('1,start_arm_1,visit');
    expect(
      project.documents.at({
        record: 'A-1',
        event: 'start_arm_1',
        instrument: '',
        instance: 0,
        field: 'pulse',
      }),
    ).to.have.property('name', 'a');
  });

  it('deletes the data of an event whose name is given to another', async () => {
    const events = [{ unique_event_name: 'start_arm_1', event_name: 'End' }, { event_name: 'Late' }];

    await jsonOf(longitudinal, send('event', events, { override: '1' }));

    expect(await textOf(longitudinal, { content: 'record', fields: 'id,pulse' })).to.match(
      /^A-1,end_arm_1,,,60$/m,
    );
    expect(await textOf(longitudinal, { content: 'record', fields: 'id,pulse' })).not.to.include('70');
  });

  it('keeps the repeating instruments of a classic project that becomes longitudinal', async () => {
    await jsonOf(classic, send('repeatingFormsEvents', [{ form_name: 'base', custom_form_label: '' }]));
    const data = 'id,redcap_repeat_instrument,redcap_repeat_instance,age\n7,base,1,50\n';
    await textOf(classic, { content: 'record', data });
    await jsonOf(classic, send('event', [{ event_name: 'One' }, { event_name: 'Two' }]));

    expect(await jsonOf(classic, { content: 'repeatingFormsEvents' })).to.deep.equal([
      { event_name: 'one_arm_1', form_name: 'base', custom_form_label: '' },
    ]);
    expect(await textOf(classic, { content: 'record', records: '7' })).to.include('7,one_arm_1,base,1');
  });

  it('becomes longitudinal with a second event, and then has its records at the first one', async () => {
    await jsonOf(
      classic,
      send('event', [
        { event_name: 'One', arm_num: 1 },
        { event_name: 'Two', arm_num: 1 },
      ]),
    );
    await jsonOf(
      classic,
      send('formEventMapping', [{ arm_num: 1, unique_event_name: 'one_arm_1', form: 'base' }]),
    );

    expect(await jsonOf(classic, { content: 'project' })).to.include({ is_longitudinal: 1 });
    expect(await textOf(classic, { content: 'record', records: '2', fields: 'id,age' })).to.equal(
      'id,redcap_event_name,age\n2,one_arm_1,30\n',
    );

    await jsonOf(classic, { content: 'event', action: 'delete', 'events[0]': 'two_arm_1' });
    expect(await textOf(classic, { content: 'record', records: '2', fields: 'id,age' })).to.equal(
      'id,age\n2,30\n',
    );
  });

  it('replaces the designation of instruments to events', async () => {
    const rows = [{ arm_num: 1, unique_event_name: 'end_arm_1', form: 'base' }];

    expect(await jsonOf(longitudinal, send('formEventMapping', rows))).to.equal(1);

    expect(await jsonOf(longitudinal, { content: 'formEventMapping' })).to.deep.equal(rows);
  });

  it('replaces the repeating instruments, and names an unknown event', async () => {
    const rows = [{ event_name: 'end_arm_1', form_name: 'visit', custom_form_label: '[pulse]' }];

    expect(await jsonOf(longitudinal, send('repeatingFormsEvents', rows))).to.equal(1);

    expect(await jsonOf(longitudinal, { content: 'repeatingFormsEvents' })).to.deep.equal(rows);
    const unknown = [{ event_name: 'never_arm_1', form_name: 'visit' }];
    expect(await refusalOf(longitudinal, send('repeatingFormsEvents', unknown))).to.equal(
      "event 'never_arm_1' is not available in project",
    );
  });

  it('stores a designation or a repeating instrument that is sent twice once', async () => {
    const place = { unique_event_name: 'start_arm_1', form: 'base' };
    await jsonOf(longitudinal, send('formEventMapping', [place, place]));
    const repeat = { event_name: 'start_arm_1', form_name: 'meds', custom_form_label: 'a' };
    await jsonOf(longitudinal, send('repeatingFormsEvents', [repeat, { ...repeat, custom_form_label: 'b' }]));

    expect(await jsonOf(longitudinal, { content: 'formEventMapping' })).to.deep.equal([
      { arm_num: 1, ...place },
    ]);
    expect(await jsonOf(longitudinal, { content: 'repeatingFormsEvents' })).to.deep.equal([
      { ...repeat, custom_form_label: 'b' },
    ]);
  });

  it('imports its own data dictionary, and another one in its place', async () => {
    for (const format of ['json', 'csv'] as const) {
      const before = await textOf(classic, { content: 'metadata', format });

      expect(await textOf(classic, { content: 'metadata', format, data: before })).to.equal('8');

      expect(await textOf(classic, { content: 'metadata', format })).to.equal(before);
    }
    const rows = [{ field_name: 'id', form_name: 'only', field_type: 'text', field_label: 'Id' }];
    expect(await jsonOf(classic, { content: 'metadata', data: JSON.stringify(rows) })).to.equal(1);
    expect(await jsonOf(classic, { content: 'instrument' })).to.deep.equal([
      { instrument_name: 'only', instrument_label: 'Only' },
    ]);
  });

  it('keeps the tags in a label of a data dictionary imported as XML', async () => {
    const label = '<p><b>Bold</b></p>';
    const data = `<records><item><field_name>id</field_name><form_name>only</form_name><field_type>text</field_type><field_label><![CDATA[${label}]]></field_label></item></records>`;
    await textOf(classic, { content: 'metadata', format: 'xml', data });

    expect(await jsonOf(classic, { content: 'metadata' })).to.have.nested.property('[0].field_label', label);
  });

  for (const [what, rows, text] of [
    [
      'a missing field name',
      [{ form_name: 'base', field_type: 'text' }],
      'Each row MUST have a variable/field name, but the following cells have a field name missing: A2.',
    ],
    [
      'a missing form name',
      [{ field_name: 'id', field_type: 'text' }],
      'Each row MUST have a form name, but the following cells have a form name missing: B2.',
    ],
    [
      'limits without a validation',
      [{ field_name: 'id', form_name: 'base', field_type: 'text', text_validation_min: '1' }],
      'A field validation type is required in order to have a minimum or maximum validation value. The following cells are missing a validation type: I2',
    ],
    [
      'a repeated name',
      ['id', 'id'].map((name) => ({ field_name: name, form_name: 'base', field_type: 'text' })),
      'The following variable/field names were duplicated. Please rename these field names so that they only appear once. id (A2, A3)',
    ],
    [
      'forms in pieces',
      ['a', 'b', 'a'].map((form, at) => ({ field_name: `f${at}`, form_name: form, field_type: 'text' })),
      'Form names must be sequential and cannot repeat: a',
    ],
  ] as const) {
    it(`refuses a data dictionary with ${what}, with the message of the server`, async () => {
      expect(await refusalOf(classic, { content: 'metadata', data: JSON.stringify(rows) })).to.equal(text);
      expect(classic.project.study.fields).to.have.length(8);
    });
  }

  it('changes its settings, and returns how many it accepted', async () => {
    const data = JSON.stringify({ project_title: 'Renamed', project_irb_number: 'IRB-1', project_id: 99 });

    expect(await jsonOf(classic, { content: 'project_settings', data })).to.equal(2);

    expect(await jsonOf(classic, { content: 'project' })).to.include({
      project_id: 1,
      project_title: 'Renamed',
      project_irb_number: 'IRB-1',
    });
  });

  it('has text validations, each with a name and a pattern', async () => {
    const rows = (await jsonOf(classic, { content: 'fieldValidation' })) as Record<string, string>[];

    const integer = rows.find(({ validation_type: name }) => name === 'integer');
    expect(Object.keys(integer ?? {})).to.deep.equal(['validation_type', 'regex']);
    expect(new RegExp(integer?.regex?.slice(1, -1) ?? 'x').test('-12')).to.equal(true);
  });
});

describe('A super token of the REDCap sandbox', () => {
  it('creates a project, and returns the token of its creator', async () => {
    const superToken = 'F'.repeat(64);
    const { startRedcapSandbox } = await import('../../../src/sandbox/redcap/redcap-sandbox.js');
    const sandbox = {
      ...(await startRedcapSandbox({ study: classicStudy(), superToken })),
      token: superToken,
    };
    const data = JSON.stringify([{ project_title: 'New', purpose: 0 }]);

    const token = await textOf(sandbox, { content: 'project', format: 'json', data });

    expect(token).to.match(/^[0-9A-F]{32}$/);
    expect(await jsonOf({ ...sandbox, token }, { content: 'project' })).to.include({
      project_title: 'New',
      project_id: 2,
    });
    expect(
      await refusalOf(sandbox, {
        content: 'project',
        data: JSON.stringify([{ project_title: 'X', purpose: 1 }]),
      }),
    ).to.equal(
      "You must provide some text for 'purpose_other' since you specified 'purpose' as '1' (Other).",
    );
    await sandbox.close();
  });
});
