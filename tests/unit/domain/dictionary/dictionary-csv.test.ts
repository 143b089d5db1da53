import { expect } from 'chai';
import fc from 'fast-check';
import {
  DICTIONARY_COLUMNS,
  parseDictionaryCsv,
  toDictionaryCsv,
  toDictionaryRow,
} from '../../../../src/domain/dictionary/dictionary-csv.js';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import { cpuMsWhile } from '../../../support/cpu-ms-of.js';
import { dictionaryRefusal } from './dictionary-refusal.js';
import { someField } from '../../../support/some-field.js';

/** REDCap's two names of each column, and the property that holds its value. */
const COLUMNS: readonly [api: string, heading: string, property: keyof Field][] = [
  ['field_name', 'Variable / Field Name', 'name'],
  ['form_name', 'Form Name', 'instrument'],
  ['section_header', 'Section Header', 'sectionHeader'],
  ['field_type', 'Field Type', 'type'],
  ['field_label', 'Field Label', 'label'],
  ['select_choices_or_calculations', 'Choices, Calculations, OR Slider Labels', 'choicesOrCalculations'],
  ['field_note', 'Field Note', 'note'],
  ['text_validation_type_or_show_slider_number', 'Text Validation Type OR Show Slider Number', 'validationType'],
  ['text_validation_min', 'Text Validation Min', 'validationMin'],
  ['text_validation_max', 'Text Validation Max', 'validationMax'],
  ['identifier', 'Identifier?', 'isIdentifier'],
  ['branching_logic', 'Branching Logic (Show field only if...)', 'branchingLogic'],
  ['required_field', 'Required Field?', 'isRequired'],
  ['custom_alignment', 'Custom Alignment', 'alignment'],
  ['question_number', 'Question Number (surveys only)', 'questionNumber'],
  ['matrix_group_name', 'Matrix Group Name', 'matrixGroup'],
  ['matrix_ranking', 'Matrix Ranking?', 'isMatrixRanking'],
  ['field_annotation', 'Field Annotation', 'annotation'],
]; // prettier-ignore
const API_NAMES = COLUMNS.map(([api]) => api);
const HEADINGS = COLUMNS.map(([, heading]) => heading);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function csvOf(header: readonly string[], fields: readonly Field[], lineBreak = '\n'): string {
  const rows = fields.map((field) => Object.values(toDictionaryRow(field)));
  return [header, ...rows].map((cells) => cells.map(quoted).join(',')).join(lineBreak);
}

/** Parses a dictionary of one field; a test gives only the cells that matter to it. */
async function fieldOf(cells: Readonly<Record<string, string>>): Promise<Field | undefined> {
  const all = { field_name: 'age', form_name: 'base', field_type: 'text', ...cells };
  const [field] = await parseDictionaryCsv(
    `${Object.keys(all).map(quoted).join(',')}\n${Object.values(all).map(quoted).join(',')}`,
  );
  return field;
}

describe('parseDictionaryCsv', () => {
  for (const [api, heading, property] of COLUMNS) {
    for (const name of [api, heading]) {
      it(`reads ${property} from the column ${name}`, async () => {
        const flag = api === name ? 'y' : 'Y';
        const isFlag = property.startsWith('is');
        const required = ['field_name', 'form_name', 'field_type'].filter((other) => other !== api);
        const header = [...required, name].map(quoted).join(',');
        const cells = [...required.map(() => 'x'), isFlag ? flag : 'value'].join(',');

        const [field] = await parseDictionaryCsv(`${header}\n${cells}`);
        expect(field?.[property]).to.equal(isFlag ? true : 'value');
      });
    }
  }

  it('reads a file saved by the REDCap web page: headings, byte order mark, Windows line breaks', async () => {
    const fields = [someField('record_id'), someField('age', { validationType: 'integer' })];

    expect(await parseDictionaryCsv(`\u{feff}${csvOf(HEADINGS, fields, '\r\n')}\r\n`)).to.deep.equal(fields);
  });

  it('accepts columns in any order, and headings in any case with surrounding blanks', async () => {
    const [field] = await parseDictionaryCsv(' FORM NAME ,field_type,variable / field name\nbase,text,age\n');

    expect(field).to.include({ name: 'age', instrument: 'base', type: 'text', label: '', isRequired: false });
  });

  for (const [name, delimiter] of Object.entries({ semicolons: ';', tabs: '\t' })) {
    it(`reads a file that Excel has saved with ${name}`, async () => {
      const fields = [someField('record_id', { label: 'Number, or; name' }), someField('age')];
      const [header, ...rows] = csvOf(HEADINGS, fields, '\r\n').split('\r\n');
      const byDelimiter = [header, ...rows].map((line) => line?.replaceAll('","', `"${delimiter}"`));

      expect(await parseDictionaryCsv(`\u{feff}${byDelimiter.join('\r\n')}\r\n`)).to.deep.equal(fields);
    });
  }

  it('reads the delimiter from a line before the header', async () => {
    const [field] = await parseDictionaryCsv(
      '\u{feff}sep=;\r\nfield_name;form_name;field_type\r\nage;base;text\r\n',
    );

    expect(field).to.include({ name: 'age', instrument: 'base', type: 'text' });
  });

  it('skips the empty rows and columns of a file that Excel has saved', async () => {
    const fields = await parseDictionaryCsv(
      'field_name;form_name;field_type;;\r\nage;base;text;;\r\n;;;;\r\nheight;base;text;;\r\n;;;;\r\n',
    );

    expect(fields.map(({ name }) => name)).to.deep.equal(['age', 'height']);
  });

  it('ignores unknown columns', async () => {
    expect(await fieldOf({ constructor: 'x', ['__proto__']: 'x', misc: 'x' })).to.deep.equal(
      someField('age', { label: '' }),
    );
  });

  it('reads cells that contain quotes, separators and line breaks', async () => {
    const label = 'Do you say "yes", <b>always</b>;\r\nor\n\nnever?';

    expect((await fieldOf({ field_label: label }))?.label).to.equal(label);
  });

  it('trims names, types and flags, and keeps every text as it is', async () => {
    expect(
      await fieldOf({
        field_name: ' age ',
        field_type: ' text ',
        required_field: ' y ',
        section_header: ' ',
        field_label: '\tAge\n',
      }),
    ).to.include({ name: 'age', type: 'text', isRequired: true, sectionHeader: ' ', label: '\tAge\n' });
  });

  it('changes nothing of what was exported: blanks at the ends, line breaks, quotes, numbers, blank texts', async () => {
    const texts = [
      ' ',
      '  a ',
      '\n',
      ' a\r\nb\n',
      '\r',
      '"',
      '""',
      "'",
      '007',
      '1e5',
      '=1',
      ',',
      ';',
      '\t',
      '',
    ];
    const fields = texts.map((text, at) =>
      someField(`field_${at}`, {
        sectionHeader: text,
        label: text,
        choicesOrCalculations: text,
        note: text,
        validationMin: text,
        validationMax: text,
        branchingLogic: text,
        questionNumber: text,
        annotation: text,
      }),
    );

    expect(await parseDictionaryCsv(toDictionaryCsv(fields))).to.deep.equal(fields);
  });

  it('skips blank lines', async () => {
    expect(
      await parseDictionaryCsv('\n\nfield_name,form_name,field_type\n\na,base,text\n\n\nb,base,text\n\n'),
    ).to.have.length(2);
  });

  for (const [text, expected] of [['y', true], ['Y', true], ['1', true], ['', false], ['n', false], ['0', false]] as const) {
    it(`reads ${JSON.stringify(text)} as ${expected ? 'true' : 'false'} in the columns that hold a flag`, async () => {
      expect(await fieldOf({ identifier: text, required_field: text, matrix_ranking: text })).to.include({
        isIdentifier: expected,
        isRequired: expected,
        isMatrixRanking: expected,
      });
    });
  } // prettier-ignore

  it('accepts a field type that it does not know', async () => {
    expect((await fieldOf({ field_type: 'hologram' }))?.type).to.equal('hologram');
  });

  it('reads what toDictionaryRow writes, under either set of headings', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    const word = text.map((value) => value.trim());
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
    const field: fc.Arbitrary<Field> = fc.record({
      name,
      instrument: name,
      sectionHeader: text,
      type: fc.constantFrom('text', 'radio', 'checkbox', 'hologram'),
      label: text,
      choicesOrCalculations: text,
      note: text,
      validationType: word,
      validationMin: text,
      validationMax: text,
      isIdentifier: fc.boolean(),
      branchingLogic: text,
      isRequired: fc.boolean(),
      alignment: word,
      questionNumber: text,
      matrixGroup: word,
      isMatrixRanking: fc.boolean(),
      annotation: text,
    });
    const header = fc.constantFrom(API_NAMES, HEADINGS);
    const lineBreak = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(field, { minLength: 1, maxLength: 5, selector: ({ name: unique }) => unique }),
        header,
        lineBreak,
        async (fields, names, end) => {
          expect(await parseDictionaryCsv(csvOf(names, fields, end))).to.deep.equal(fields);
        },
      ),
    );
  });

  for (const pump of ['"', ',', '\n', ' ', '"\n', 'a,a,text\n', '"a""b",', '\ra']) {
    it(`takes time linear in the length of a file of repeated ${JSON.stringify(pump)}`, async () => {
      const text = `field_name,form_name,field_type\n${pump.repeat(400_000 / pump.length)}`;

      // Rescanning such a file from every position would take minutes.
      expect(await cpuMsWhile(() => dictionaryRefusal(text))).to.be.below(5_000);
    });
  }
});

describe('toDictionaryRow', () => {
  it("has the eighteen columns in REDCap's order", () => {
    expect(Object.keys(toDictionaryRow(someField('age')))).to.deep.equal(API_NAMES);
    expect(DICTIONARY_COLUMNS).to.deep.equal(API_NAMES);
  });

  it('writes y for true flags, and a blank for false flags and unset values', () => {
    const row = toDictionaryRow(someField('age', { isIdentifier: true }));

    expect(row).to.include({ field_name: 'age', identifier: 'y', required_field: '', matrix_ranking: '' });
    expect(row).to.include({ field_note: '', text_validation_min: '' });
  });
});
