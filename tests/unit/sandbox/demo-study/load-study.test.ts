import { expect } from 'chai';
import type { FieldProblem } from '../../../../src/domain/errors/field-problem.js';
import { InvalidRequestError } from '../../../../src/domain/errors/caller-errors.js';
import { DEMO_TOKEN } from '../../../../src/sandbox/demo-study/demo-study.js';
import { loadStudy, type StudyFiles } from '../../../../src/sandbox/demo-study/load-study.js';
import { startRedcapSandbox } from '../../../../src/sandbox/redcap/redcap-sandbox.js';

const HEADER = 'field_name,form_name,field_type,field_label,select_choices_or_calculations';
const DICTIONARY = [
  HEADER,
  'subject,about_you,text,Subject,',
  'colours,about_you,checkbox,Colours,"r, Red | g, Green"',
  'pulse,visit,text,Pulse,',
  'drug,meds,text,Drug,',
].join('\n');

/** Returns the problems of the files; fails the test if there are none. */
async function problemsOf(files: StudyFiles): Promise<readonly FieldProblem[]> {
  try {
    await loadStudy(files);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.errors ?? [];
    throw error;
  }
  throw new Error('Expected a refusal.');
}

describe("A study from the user's own files", () => {
  it('has the fields and instruments of the dictionary in order, and no records by default', async () => {
    const { study } = await loadStudy({ dictionaryCsv: DICTIONARY });

    expect(study.fields.map(({ name }) => name)).to.deep.equal(['subject', 'colours', 'pulse', 'drug']);
    expect(study.instruments).to.deep.equal([
      { name: 'about_you', label: 'About you' },
      { name: 'visit', label: 'Visit' },
      { name: 'meds', label: 'Meds' },
    ]);
    expect(study.rows).to.deep.equal([]);
    expect(study.project.title).to.equal('My project (sandbox)');
    expect((await loadStudy({ dictionaryCsv: DICTIONARY, title: 'Mine' })).study.project.title).to.equal(
      'Mine',
    );
  });

  it("accepts a dictionary from REDCap's web page: other headings, a byte order mark, CR LF", async () => {
    const page =
      '\uFEFF"Variable / Field Name","Form Name","Section Header","Field Type","Field Label","Choices, Calculations, OR Slider Labels","Identifier?","Required Field?"\r\n' +
      '"subject","about","","text","Subject","","y",""\r\n';

    expect((await loadStudy({ dictionaryCsv: page })).study.fields).to.have.nested.property(
      '[0].isIdentifier',
      true,
    );
  });

  it('is classic if its records name no event', async () => {
    const { study } = await loadStudy({
      dictionaryCsv: DICTIONARY,
      recordsCsv: 'subject,colours___r,redcap_data_access_group\n1,1,north\n2,0,\n',
    });

    expect(study).to.deep.include({ arms: [], events: [], mappings: [], repeating: [] });
    expect(study.rows).to.deep.equal([
      { subject: '1', colours___r: '1', redcap_data_access_group: 'north' },
      { subject: '2', colours___r: '0', redcap_data_access_group: '' },
    ]);
    expect(study.groups).to.deep.equal([{ uniqueName: 'north', name: 'North', id: 1 }]);
  });

  it('has surveys if its records contain time stamps, and keeps survey identifiers', async () => {
    const { study } = await loadStudy({
      dictionaryCsv: DICTIONARY,
      recordsCsv:
        'subject,redcap_survey_identifier,visit_timestamp,pulse,visit_complete\n1,Ada,2026-01-02 10:00:00,60,2\n',
    });
    const sandbox = await startRedcapSandbox({ study });
    const body = new URLSearchParams({
      token: DEMO_TOKEN,
      content: 'record',
      format: 'csv',
      exportSurveyFields: 'true',
      'forms[0]': 'visit',
      'fields[0]': 'subject',
    });
    const answer = await (await fetch(sandbox.url, { method: 'POST', body })).text();
    await sandbox.close();

    expect(study.surveys).to.deep.equal([{ instrument: 'visit', hasReturnCodes: false }]);
    expect(answer).to.equal(
      'subject,redcap_survey_identifier,visit_timestamp,pulse,visit_complete\n1,Ada,"2026-01-02 10:00:00",60,2\n',
    );
    expect(sandbox.notes).to.deep.equal([]);
  });

  it('notes what it inferred from the records', async () => {
    const { notes } = await loadStudy({
      dictionaryCsv: DICTIONARY,
      recordsCsv: 'subject,redcap_event_name,redcap_repeat_instance,pulse\n1,a_arm_1,1,60\n',
    });

    expect(notes).to.deep.equal([
      'events are those that the records name, their labels made of the names',
      'instruments stand at the events where a record has a value',
      'what repeats is what has repeat instances in the records',
    ]);
  });

  it('infers the arms, events and repeating instruments from its records', async () => {
    const { study } = await loadStudy({
      dictionaryCsv: DICTIONARY,
      recordsCsv: [
        'subject,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,colours___r,pulse,visit_complete,drug',
        '1,first_visit_arm_1,,,1,,0,',
        '1,first_visit_arm_1,meds,1,,,,x',
        '1,follow_up_arm_1,,1,,60,,',
        '1,follow_up_arm_1,,2,,61,,',
        '2,first_visit_arm_2b,,,0,,,',
      ].join('\n'),
    });

    expect(study.arms).to.deep.equal([
      { number: 1, name: 'Arm 1' },
      { number: 2, name: 'Arm 2' },
    ]);
    expect(study.events).to.deep.equal([
      { uniqueName: 'first_visit_arm_1', label: 'First visit', arm: 1 },
      { uniqueName: 'follow_up_arm_1', label: 'Follow up', arm: 1 },
      { uniqueName: 'first_visit_arm_2b', label: 'First visit', arm: 2 },
    ]);
    expect(study.repeating).to.deep.equal([
      { event: 'first_visit_arm_1', instrument: 'meds', customLabel: '' },
      { event: 'follow_up_arm_1', instrument: '', customLabel: '' },
    ]);
  });

  it('assigns an instrument to each event where a record has a value or a form status of it', async () => {
    const { study } = await loadStudy({
      dictionaryCsv: DICTIONARY,
      recordsCsv: [
        'subject,redcap_event_name,colours___g,pulse,visit_complete,drug,meds_complete',
        '1,b_arm_1,,,,y,',
        '1,a_arm_1,0,,0,,',
      ].join('\n'),
    });

    expect(study.mappings.map((mapping) => `${mapping.event} ${mapping.instrument}`)).to.deep.equal([
      'b_arm_1 meds',
      'a_arm_1 about_you',
      'a_arm_1 visit',
    ]);
  });
});

describe('Invalid study files', () => {
  for (const [what, dictionaryCsv, problem] of [
    ['an empty dictionary', '', { field: 'dictionary', message: 'has no field' }],
    ['a dictionary of only a header', HEADER, { field: 'dictionary', message: 'has no field' }],
    [
      'a dictionary with a short row',
      `${HEADER}\nsubject,about,text,Subject,\nage,about\n`,
      {
        field: 'dictionary row 3 (line 3)',
        message: 'has another number of cells than the header',
      },
    ],
    [
      'a field name in capitals',
      `${HEADER}\nsubject,about,text,Subject,\nSecret,about,text,Age,\n`,
      { field: 'dictionary row 3 (line 3), field_name', message: 'must be a field name' },
    ],
    [
      'an instrument without a name',
      `${HEADER}\nsubject,,text,Subject,\n`,
      { field: 'dictionary row 2 (line 2), form_name', message: 'must be the unique name of an instrument' },
    ],
    [
      'a field type of several words',
      `${HEADER}\nsubject,about,free text,Subject,\n`,
      { field: 'dictionary row 2 (line 2), field_type', message: 'must be a field type' },
    ],
    [
      'a duplicate field name',
      `${HEADER}\nsubject,about,text,Subject,\nage,about,text,Age,\nage,about,text,Age again,\n`,
      { field: 'dictionary row 4 (line 4), field_name', message: 'must not repeat that of row 3' },
    ],
    [
      'records in place of a dictionary',
      'subject,age\nSecret,7\n',
      { field: 'dictionary', message: 'has no column field_name ("Variable / Field Name") in its header' },
    ],
  ] as const) {
    it(`are refused by row and rule, without a value: ${what}`, async () => {
      const problems = await problemsOf({ dictionaryCsv });

      expect(problems[0]).to.deep.equal(problem);
      expect(JSON.stringify(problems)).not.to.include('Secret');
    });
  }

  for (const [what, recordsCsv, problems] of [
    [
      'a row without an id',
      'subject,pulse\n1,60\n,61\n 2,62\n,63\n',
      [
        { field: 'records row 3', message: 'has no record id' },
        { field: 'records row 5', message: 'has no record id' },
      ],
    ],
    [
      'records without the id field',
      'pulse\nSecret\n',
      [
        {
          field: 'records',
          message: 'has no column subject, which is the record ID field of the dictionary',
        },
      ],
    ],
    [
      'a long row',
      'subject,pulse\n1,60\n2,61,Secret\n',
      [
        {
          field: 'records row 3 (line 3)',
          message: 'has another number of cells than the header',
        },
      ],
    ],
    [
      'an open quote',
      'subject,pulse\n1,"Secret\n',
      [
        {
          field: 'records row 2 (line 2)',
          message: 'is not valid CSV',
        },
      ],
    ],
  ] as const) {
    it(`are refused by row and rule, without a value: ${what}`, async () => {
      expect(await problemsOf({ dictionaryCsv: DICTIONARY, recordsCsv })).to.deep.equal(problems);
    });
  }

  it('are refused with at most a hundred problems', async () => {
    const recordsCsv = `subject,pulse\n${',1\n'.repeat(500)}`;

    expect(await problemsOf({ dictionaryCsv: DICTIONARY, recordsCsv })).to.have.length(100);
  });
});
