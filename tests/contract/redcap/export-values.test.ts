import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { jsonOf, textOf, type TestSandbox } from './wire.js';

const record = { content: 'record' };

describe('The values of a record export', () => {
  let classic: TestSandbox;
  let arms: TestSandbox;

  before(async () => {
    classic = await startTestSandbox(classicStudy());
    arms = await startTestSandbox(armsStudy());
  });
  after(() => Promise.all([classic.close(), arms.close()]));

  const first = async (form: Record<string, string>): Promise<unknown> => {
    const rows = (await jsonOf(arms, {
      ...record,
      records: '1',
      events: 'start_arm_1',
      ...form,
    })) as unknown[];
    return rows[0];
  };

  it('are codes and file names when raw', async () => {
    expect(await first({ forms: 'enrol' })).to.deep.equal({
      id: '1',
      redcap_event_name: 'start_arm_1',
      redcap_repeat_instrument: '',
      redcap_repeat_instance: '',
      name: 'Ada',
      consent: 'form.pdf',
      alive: '1',
      smoker: '0',
      mood: 'g',
      marks___aa: '1',
      marks___2: '0',
      marks___unk: '0',
      marks____9: '0',
      pain: '40',
      note: 'a "quoted" word,\nand a line',
      enrol_complete: '2',
    });
  });

  it('are labels of choices, events with their arm, and form status with rawOrLabel=label', async () => {
    expect(
      await first({ fields: 'id,alive,smoker,mood,marks,pain,enrol_complete', rawOrLabel: 'label' }),
    ).to.deep.equal({
      id: '1',
      redcap_event_name: 'Start (Arm 1: Drug A)',
      redcap_repeat_instrument: '',
      redcap_repeat_instance: '',
      alive: 'True',
      smoker: 'No',
      mood: 'Good',
      marks___aa: 'Checked',
      marks___2: 'Unchecked',
      marks___unk: 'Unchecked',
      marks____9: 'Unchecked',
      pain: '40',
      enrol_complete: 'Complete',
    });
  });

  it('name the repeating instrument by its label', async () => {
    expect(
      await textOf(arms, {
        ...record,
        records: '1',
        fields: 'id,drug',
        rawOrLabel: 'label',
        events: 'start_arm_1',
      }),
    ).to.include('1,"Start (Arm 1: Drug A)","The meds",1,x');
  });

  it('contain missing data codes unchanged, or their labels', async () => {
    const missing = { ...record, records: '2', fields: 'name,mood' };

    expect(await jsonOf(arms, missing)).to.deep.equal([{ name: 'UNK', mood: '-9' }]);
    expect(await jsonOf(arms, { ...missing, rawOrLabel: 'label' })).to.deep.equal([
      { name: 'Unknown', mood: 'Not asked' },
    ]);
  });

  it('contain the labels of checked choices with exportCheckboxLabel, only with labels', async () => {
    const marks = { fields: 'marks', exportCheckboxLabel: 'true' };

    expect(await first({ ...marks, rawOrLabel: 'label' })).to.deep.equal({
      marks___aa: 'First',
      marks___2: '',
      marks___unk: '',
      marks____9: '',
    });
    expect(await first(marks)).to.deep.equal({
      marks___aa: '1',
      marks___2: '0',
      marks___unk: '0',
      marks____9: '0',
    });
  });

  it('share one column per checkbox field with combineCheckboxOptions', async () => {
    await textOf(classic, { ...record, data: 'id,sites___2\n10,1\n' });
    const combined = { ...record, fields: 'id,sites', combineCheckboxOptions: '1' };

    expect(await textOf(classic, combined)).to.equal('id,sites\n2,\n10,"1,2"\nA-1,-99\n');
    expect(await textOf(classic, { ...combined, rawOrLabel: 'label', rawOrLabelHeaders: 'label' })).to.equal(
      'Id,Sites\n2,\n10,"North,South, far"\nA-1,Unknown\n',
    );
  });

  it('have readable headings with rawOrLabelHeaders=label, only in flat CSV', async () => {
    const labelled = { ...record, records: '1', rawOrLabelHeaders: 'label', exportSurveyFields: '1' };
    const [heading] = (
      await textOf(arms, { ...labelled, fields: 'id,mood,marks,enrol_complete,visit_complete' })
    ).split('\n');

    expect(heading).to.equal(
      'Id,"Event Name","Repeat Instrument","Repeat Instance","Survey Identifier","Mood, today","Marks (choice=First)","Marks (choice=Second)","Marks (choice=Unknown)","Marks (choice=Not asked)",Complete?,Complete?',
    );
    expect(await jsonOf(arms, { ...labelled, fields: 'mood' })).to.deep.equal([{ mood: 'g' }]);
    expect(await textOf(arms, { ...labelled, fields: 'mood', type: 'eav' })).to.match(
      /^record,redcap_event_name,/,
    );
  });

  it('omit the status of forms that were never saved, on request', async () => {
    const sandbox = await startTestSandbox({ ...classicStudy(), rows: [{ id: '1' }, { id: '2', age: '3' }] });
    const status = { ...record, fields: 'base_complete' };

    expect(await textOf(sandbox, status)).to.equal('base_complete\n0\n0\n');
    expect(await textOf(sandbox, { ...status, exportBlankForGrayFormStatus: 'True' })).to.equal(
      'base_complete\n\n0\n',
    );
    await sandbox.close();
  });

  for (const [delimiter, line] of [
    [';', '1;"a;b";26.8'],
    ['|', '1|a;b|26.8'],
    ['^', '1^a;b^26.8'],
    ['tab', '1\ta;b\t26.8'],
    ['\t', '1\ta;b\t26.8'],
    ['?', '1,a;b,26.8'],
  ] as const) {
    it(`are separated by ${JSON.stringify(delimiter)} when csvDelimiter requests it${delimiter === '?' ? ', an unknown delimiter' : ''}`, async () => {
      const sandbox = await startTestSandbox(delimitedStudy());

      expect(
        await textOf(sandbox, { ...record, fields: 'id,note,weight', csvDelimiter: delimiter }),
      ).to.equal(`${['id', 'note', 'weight'].join(line[1])}\n${line}\n`);
      await sandbox.close();
    });
  }

  it('have the requested decimal character in numbers only', async () => {
    const sandbox = await startTestSandbox(delimitedStudy());
    const numbers = { ...record, fields: 'weight,twice,note', csvDelimiter: ';' };

    expect(await textOf(sandbox, { ...numbers, decimalCharacter: ',' })).to.equal(
      'note;twice;weight\n"a;b";5,5;26,8\n',
    );
    expect(await textOf(sandbox, { ...numbers, decimalCharacter: '.' })).to.equal(
      'note;twice;weight\n"a;b";5.5;26.8\n',
    );
    expect(await textOf(sandbox, { ...numbers, decimalCharacter: '!' })).to.equal(
      'note;twice;weight\n"a;b";5.5;26.8\n',
    );
    expect(await jsonOf(sandbox, { ...numbers, decimalCharacter: ',' })).to.deep.equal([
      { weight: '26,8', twice: '5,5', note: 'a;b' },
    ]);
    await sandbox.close();
  });

  it('are quoted in CSV only if they contain a delimiter, a quote, a blank, a tab or a line break', async () => {
    const values = ['plain', 'a b', 'a,b', 'a"b', 'a\nb', 'a\r\nb', 'a\tb', '(1)-2', 'é'];
    const sandbox = await startTestSandbox({
      ...delimitedStudy(),
      rows: values.map((note, index) => ({ id: String(index), note })),
    });

    expect(await textOf(sandbox, { ...record, fields: 'note' })).to.equal(
      'note\nplain\n"a b"\n"a,b"\n"a""b"\n"a\nb"\n"a\r\nb"\n"a\tb"\n(1)-2\né\n',
    );
    await sandbox.close();
  });
});

/** One record with a note that contains a semicolon, a decimal number, and a calculated number. */
function delimitedStudy() {
  const study = classicStudy();
  const [, , , , intro, ...others] = study.fields;
  const note = { ...intro, name: 'note', type: 'notes' };
  const fields = [...study.fields.slice(0, 4), note, ...others].map((field) =>
    field.name === 'twice' ? { ...field, choicesOrCalculations: '[age] / 2' } : field,
  );
  return { ...study, fields, rows: [{ id: '1', age: '11', weight: '26.8', note: 'a;b' }] } as typeof study;
}
