import { expect } from 'chai';
import { RecordWriter, type ImportRequest } from '../../../../src/services/record-writer.js';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import type { ImportWarningList } from '../../../../src/records/import/warnings/import-warning.js';
import { field, FIELDS, id, ImportProject, write, type Row } from '../../../support/import-project.js';
import { rejection } from '../../../support/rejection.js';

/** The usual project, with what spreadsheets damage. */
class DamagedProject extends ImportProject {
  override readonly fields = {
    list: (): Promise<Field[]> =>
      Promise.resolve([
        ...FIELDS,
        field('smokes', { type: 'yesno' }),
        field('arm_code', {
          type: 'dropdown',
          choicesOrCalculations: '01, A | 02, B | 100000, C | 100001, D',
        }),
        field('weight', { validationType: 'number', validationMin: '30', validationMax: '250' }),
        field('arrived', { validationType: 'time' }),
        field('left', { validationType: 'datetime_ymd' }),
        field('zip', { validationType: 'zipcode' }),
        field('mrn'),
      ]),
  };
}

const record_id = id(1);

async function stored(row: Row, request: Partial<ImportRequest> = {}) {
  const project = new DamagedProject();
  if ('redcap_repeat_instrument' in row) project.repeatingInstruments = ['visit'];
  if ('redcap_data_access_group' in row) project.groups = ['north'];
  const { warnings } = await write(
    new RecordWriter(project),
    JSON.stringify([{ record_id, ...row }]),
    request,
  );
  return { sent: project.rows[0], warnings };
}

const rulesOf = (warnings: ImportWarningList | undefined): string[] =>
  (warnings?.first ?? []).map(({ field, rule }) => `${field}: ${rule}`);

async function messageOf(row: Row, request: Partial<ImportRequest> = {}): Promise<string> {
  const error = await rejection(
    write(new RecordWriter(new DamagedProject()), JSON.stringify([{ record_id, ...row }]), request),
  );
  return (error['errors'] as { message: string }[])[0]?.message ?? '';
}

describe('Blanks around a value', () => {
  const TRIMMED: Record<string, [Row, Row]> = {
    'a code': [{ sex: '1 ' }, { sex: '1' }],
    'a code, non-breaking': [{ sex: '\u00a02\u202f' }, { sex: '2' }],
    'a checkbox': [{ sites___1: ' 1' }, { sites___1: '1' }],
    'a form status': [{ visit_complete: '2\t' }, { visit_complete: '2' }],
    'a date': [{ seen: '1980-02-04 ' }, { seen: '1980-02-04' }],
    'a number': [{ weight: ' 72.6' }, { weight: '72.6' }],
    'a whole number, behind something unseen': [{ age: '42\u200b' }, { age: '42' }],
    'a ZIP code': [{ zip: '01067 ' }, { zip: '01067' }],
    'an event': [{ redcap_event_name: 'baseline_arm_1 ' }, { redcap_event_name: 'baseline_arm_1' }],
    'an instrument and its instance': [
      { redcap_repeat_instrument: ' visit', redcap_repeat_instance: '3 ' },
      { redcap_repeat_instrument: 'visit', redcap_repeat_instance: '3' },
    ],
    'a group': [{ redcap_data_access_group: 'north ' }, { redcap_data_access_group: 'north' }],
  };
  for (const [name, [given, expected]] of Object.entries(TRIMMED))
    it(`is left out, with a warning: ${name}`, async () => {
      const { sent, warnings } = await stored(given);

      expect(sent).to.deep.equal({ record_id, ...expected });
      expect(rulesOf(warnings)).to.deep.equal(Object.keys(expected).map((name) => `${name}: blanks_around`));
      expect(warnings?.rules.blanks_around).to.equal(Object.keys(expected).length);
    });

  it('is left out before dates and numbers are read in the form of the file', async () => {
    const { sent } = await stored(
      { seen: ' 4.2.1980', weight: '1.072,5 ' },
      { dateFormat: 'DMY', decimalCharacter: ',', keepMisfits: true },
    );

    expect(sent).to.include({ seen: '1980-02-04', weight: '1072.5' });
  });

  it('leaves a cell blank that has nothing else', async () => {
    expect((await stored({ sex: '  ', age: '\u00a0' })).sent).to.deep.equal({ record_id, sex: '', age: '' });
  });

  it('stays in free text', async () => {
    const { sent, warnings } = await stored({ note: ' as said ', mrn: ' 12' });

    expect(sent).to.deep.equal({ record_id, note: ' as said ', mrn: ' 12' });
    expect(warnings).to.equal(undefined);
  });

  it('is named where it is within a value', async () => {
    expect(await messageOf({ left: '2026-02-05\u00a007:00' })).to.match(/other characters that nobody sees$/);
  });
});

describe('What a spreadsheet makes of a value', () => {
  const MEANT: Record<string, [Row, RegExp]> = {
    'a code without its leading zero': [{ arm_code: '1' }, /did you mean "01" \(A\)\?$/],
    'a code with decimals': [{ sex: '1.0' }, /did you mean "1" \(Female\)\?$/],
    'a code as a power of ten': [{ arm_code: '1e+05' }, /did you mean "100000" \(C\)\?$/],
    'a code with a thousands separator': [{ arm_code: '100,001' }, /did you mean "100001" \(D\)\?$/],
    'TRUE for yes': [{ smokes: 'TRUE' }, /did you mean "1" \(Yes\)\?$/],
    'FALSCH for no': [{ smokes: 'FALSCH' }, /did you mean "0" \(No\)\?$/],
    'TRUE for a box': [{ sites___1: 'TRUE' }, /did you mean "1" \(Checked\)\?$/],
    'a day number': [{ seen: '46058' }, /a day as spreadsheets count them, .* format the column as a date$/],
    'a day number with a time': [{ left: '46058,291667' }, /a day as spreadsheets count them/],
    'a part of a day': [{ arrived: '0.291666' }, /a part of a day as spreadsheets keep times/],
    'a whole number with decimals': [{ age: '42.0' }, /it is a whole number, to which a program has added/],
    'a whole number as a power of ten': [{ age: '1,23E+08' }, /shortened it to a power of ten/],
    'a ZIP code without its zero': [{ zip: '1067' }, /has a spreadsheet removed leading zeros\?$/],
  };
  for (const [name, [row, message]] of Object.entries(MEANT))
    it(`is named: ${name}`, async () => {
      expect(await messageOf(row)).to.match(message);
    });

  it('is not seen in a year or a date that is merely wrong', async () => {
    expect(await messageOf({ seen: '1980' })).to.equal('must be a date, as YYYY-MM-DD');
    expect(await messageOf({ seen: '2026-02-30' })).to.equal('must be a date, as YYYY-MM-DD');
  });

  it('warns of a number in free text that was shortened, and of no other', async () => {
    const { sent, warnings } = await stored({ mrn: '1,23E+08', note: '1,23E+08' });

    expect(sent).to.include({ mrn: '1,23E+08' });
    expect(rulesOf(warnings)).to.deep.equal(['mrn: spreadsheet_damage']);
    expect((await stored({ mrn: '2E10' })).warnings).to.equal(undefined);
  });

  it('gets the zero of an hour, as a date with a time does', async () => {
    expect((await stored({ arrived: '7:00', left: '2026-2-5 7:00' })).sent).to.include({
      arrived: '07:00',
      left: '2026-02-05 07:00',
    });
  });
});

describe('The hint about decimal characters', () => {
  const limits = 'refuse' as const;

  it('does not send in a circle: a number that no reading brings within its limits is only out of range', async () => {
    for (const decimalCharacter of [undefined, '.', ','] as const)
      expect(await messageOf({ weight: '725' }, { limits, decimalCharacter })).to.equal(
        'must be from 30 to 250',
      );
    expect(await messageOf({ weight: '1,725' }, { limits, decimalCharacter: '.' })).to.equal(
      'must be from 30 to 250',
    );
  });

  it('names the character that brings a number within its limits', async () => {
    expect(await messageOf({ weight: '70.125' }, { limits, decimalCharacter: ',' })).to.equal(
      'must be from 30 to 250; it is one with decimal character "."',
    );
    expect(await messageOf({ weight: '70,125' })).to.equal(
      'must be a number; it is one with decimal character ","',
    );
  });
});
