import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { choicesOf, parseChoices, type Choice } from '../../../src/domain/dictionary/choices.js';
import { DICTIONARY_COLUMNS, parseDictionaryCsv } from '../../../src/domain/dictionary/dictionary-csv.js';
import { checkboxColumnName, type ExportColumn } from '../../../src/domain/dictionary/export-column.js';
import { headingOf, STRUCTURE_HEADINGS, TIMESTAMP_HEADING } from '../../../src/domain/dictionary/labels.js';
import { valueWriter, writtenEvent } from '../../../src/domain/dictionary/written-values.js';
import { someField } from '../../support/some-field.js';
import { isTextOf } from '../../../src/domain/dictionary/text-validations.js';

const REFERENCE = readFileSync(new URL('../../../docs/protocol/redcap.md', import.meta.url), 'utf8');

/** Returns a section of the protocol reference, without those below it. */
function section(number: string): string {
  const [, text = ''] = REFERENCE.split(new RegExp(`^#+ ${number.replace('.', '\\.')}[ .].*$`, 'm'));
  return text.split(/^#/m, 1)[0] ?? '';
}

/** Returns the cells of the tables of a section, without code marks; the heads are left out. */
function rowsOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const rows = lines.map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
  return rows.slice(2);
}

// The sandbox reads the data dictionary and writes values with the code of the client. So a mistake would show nowhere else.
describe('What the sandbox and the client share, compared with what real servers were seen to do', () => {
  const renamed = [...section('4.2').matchAll(/`([^`]+)` → `(f___[^`]+)`/g)];

  it('has recorded names of checkbox columns to compare with', () => {
    expect(renamed).to.have.length.above(2);
  });

  for (const [, code = '', column = ''] of renamed) {
    it(`names the column of the checkbox choice ${code}: ${column} (4.2)`, () => {
      expect(checkboxColumnName('f', code)).to.equal(column);
    });
  }

  it('has the columns of the data dictionary, in their order (8.1)', () => {
    const names = rowsOf(section('8.1')).flatMap(([name = '']) => name.split(', '));

    expect(names).to.have.length.above(10);
    expect(DICTIONARY_COLUMNS).to.deep.equal(names);
  });

  it('reads a data dictionary with the headings of the web page (8.1)', async () => {
    const headings = rowsOf(section('8.1')).flatMap(([name = '', heading = '']) =>
      name.includes(', ') ? heading.split(', ') : [heading],
    );
    const quoted = headings.map((heading) => `"${heading}"`).join(',');

    const [field] = await parseDictionaryCsv(
      `${quoted}\nrecord_id,demographics,,text,Record ID${','.repeat(13)}\n`,
    );

    expect(field).to.include({ name: 'record_id', instrument: 'demographics', type: 'text' });
  });

  it('splits choices at the bar and at the first comma (8.3)', () => {
    const [, choices = ''] = /`([^`]+)`\. Split/.exec(section('8.3')) ?? [];

    expect(parseChoices(choices)).to.deep.equal([
      { code: '1', label: 'Male' },
      { code: '2', label: 'Female' },
    ]);
    expect(parseChoices(choices.replaceAll(' ', ''))).to.deep.equal(parseChoices(choices));
  });

  it('keeps the codes that projects have, whatever their letters and signs (8.3)', () => {
    const [, listed = ''] = /wire: ([^)]+)\)/.exec(section('8.3')) ?? [];
    const codes = listed.split(', ').map((code) => code.replaceAll('`', ''));

    expect(codes).to.include('-99');
    expect(parseChoices(codes.map((code) => `${code}, ?`).join('|')).map(({ code }) => code)).to.deep.equal(
      codes,
    );
  });

  for (const type of ['yesno', 'truefalse'] as const) {
    it(`gives ${type} its codes and labels (8.2)`, () => {
      const [, stored = '', labels = ''] = rowsOf(section('8.2')).find(([name]) => name === type) ?? [];
      const [, first, second] = /labels (\w+)\/(\w+)/.exec(labels) ?? [];
      const [one, zero] = stored.split(', ');

      expect(choicesOf({ type, choicesOrCalculations: '' })).to.deep.equal([
        { code: one, label: first },
        { code: zero, label: second },
      ]);
    });
  }

  const accepted: readonly (readonly [
    validation: string,
    evidence: string,
    value: string,
    isValid: boolean,
  ])[] = [
    ['date_mdy', 'stored as `YYYY-MM-DD`', '2026-11-23', true],
    ['date_mdy', 'stored as `YYYY-MM-DD`', '11-23-2026', false],
    ['datetime_dmy', '`YYYY-MM-DD HH:MM`', '2026-11-23 13:45', true],
    ['datetime_seconds_ymd', '`YYYY-MM-DD HH:MM:SS`', '2026-11-23 13:45:30', true],
    ['time', '`HH:MM` 00:00-23:59', '23:59', true],
    ['time', '`HH:MM` 00:00-23:59', '24:00', false],
    ['time_mm_ss', '`MM:SS`', '45:30', true],
    ['number', '`.34` occurs', '.34', true],
    ['number_1dp', '`number_1dp` refuses `22`', '22', false],
    ['phone', '`(987) 654-3210`', '(987) 654-3210', true],
    ['zipcode', 'leading zeros kept', '01234', true],
    ['zipcode', '`ddddd-dddd`', '01234-5678', true],
    ['ssn', '`ddd-dd-dddd`', '123-45-6789', true],
  ];
  for (const [validation, evidence, value, isValid] of accepted) {
    it(`${isValid ? 'takes' : 'refuses'} ${value} as ${validation} (8.4)`, () => {
      expect(section('8.4')).to.include(evidence);
      expect(isTextOf(validation, value)).to.equal(isValid);
    });
  }

  const codes = (text: string): string[] => text.split(/[,/]\s*/).filter((word) => word !== '');
  const style = { isLabel: false, hasCheckboxLabels: false, isGrayBlank: false, decimalCharacter: '' };
  const column = (type: string, choice?: Choice): ExportColumn => ({
    name: 'f',
    instrument: 'form',
    field: type === '_complete' ? undefined : someField('f', { type }),
    choice,
  });

  for (const type of ['yesno', 'truefalse', 'checkbox', '_complete']) {
    it(`writes the values of ${type} as codes and as labels (4.4)`, () => {
      const row = rowsOf(section('4.4')).find(([kind]) => kind === type);
      const [, raw = '', label = ''] = row ?? [];
      const of = column(type, type === 'checkbox' ? { code: '1', label: 'First' } : undefined);
      const choices = of.field === undefined ? [] : choicesOf(of.field);
      const written = (isLabel: boolean): string[] =>
        codes(raw).map(valueWriter(of, choices, { ...style, isLabel }));

      expect(written(false)).to.deep.equal(codes(raw));
      expect(written(true)).to.deep.equal(codes(label.split(', or')[0] ?? ''));
    });
  }

  it('writes the label of a checked choice, or nothing, with exportCheckboxLabel (4.4)', () => {
    const labels = { ...style, isLabel: true, hasCheckboxLabels: true };

    expect(
      ['1', '0'].map(valueWriter(column('checkbox', { code: '1', label: 'First' }), [], labels)),
    ).to.deep.equal(['First', '']);
  });

  it('writes the status of a form that was never saved as 0, or not at all if that is asked for (4.1)', () => {
    expect(valueWriter(column('_complete'), [], style)('')).to.equal('0');
    expect(valueWriter(column('_complete'), [], { ...style, isGrayBlank: true })('')).to.equal('');
    expect(section('4.1')).to.include('empty instead of `0`');
  });

  it('writes numbers with the requested decimal character (4.1)', () => {
    const [, stored = '', asked = ''] = /`([\d.]+)` becomes `([\d,]+)`/.exec(section('4.1')) ?? [];
    const commas = { ...style, decimalCharacter: ',' };

    expect(valueWriter(column('calc'), [], commas)(stored))
      .to.equal(asked)
      .and.not.equal(stored);
    expect(valueWriter(column('notes'), [], commas)(stored)).to.equal(stored);
  });

  it('writes the label of an event with its arm, if several arms have events (4.4)', () => {
    const events = [
      { uniqueName: 'enrollment_arm_1', label: 'Enrollment', arm: 1 },
      { uniqueName: 'enrollment_arm_2', label: 'Enrollment', arm: 2 },
    ];
    const written = (known: typeof events): string => writtenEvent('enrollment_arm_1', known, () => 'Drug A');

    expect(section('4.4')).to.include(`\`${written(events)}\``);
    expect(written(events.slice(0, 1))).to.equal('Enrollment');
  });

  it('has the headings of labelled headers (4.4)', () => {
    const [, listed = ''] = /structural columns are ([^(]+) \(client/.exec(section('4.4')) ?? [];

    expect(
      [...STRUCTURE_HEADINGS.values(), TIMESTAMP_HEADING].map((name) => `\`${name}\``).join(', '),
    ).to.equal(listed);
    expect(section('4.4')).to.include(`\`${headingOf(column('_complete'))}\``);
    expect(headingOf(column('checkbox', { code: '1', label: 'Choice text' }))).to.match(
      / \(choice=Choice text\)$/,
    );
  });
});
