import { expect } from 'chai';
import { DataDictionary } from '../../../src/dictionary/data-dictionary.js';
import type { Field } from '../../../src/dictionary/field.js';
import { ProjectStructure } from '../../../src/dictionary/project-structure.js';
import { compareProjectTypes } from '../../../src/dictionary/project-types/compare-project-types.js';
import { writeProjectTypes } from '../../../src/dictionary/project-types/write-project-types.js';
import { someField } from './some-field.js';

const SEX = someField('sex', { type: 'radio', choicesOrCalculations: '1, Female | 2, Male' });
const FIELDS: Field[] = [someField('record_id'), someField('age', { validationType: 'integer' }), SEX];

function typesOf(fields: readonly Field[], events: readonly string[] = []): string {
  const structure = new ProjectStructure({
    dictionary: new DataDictionary(fields),
    events: events.map((uniqueName) => ({ uniqueName, label: uniqueName, armNumber: 1 })),
    mappings: events.map((uniqueEventName) => ({ uniqueEventName, instrument: 'base' })),
  });
  return writeProjectTypes(structure, 'A project');
}

/** Returns the source as a formatter with other settings would write it. */
function reformatted(source: string): string {
  return source
    .replaceAll("'", '"')
    .replaceAll('\n  ', '\n\t')
    .replace(/<\n\s+\/\*\* (.*?) \*\/ \| /g, '<\n    /** $1 */\n    | ');
}

describe('writeProjectTypes', () => {
  it('writes one interface per instrument, with labels as comments', () => {
    expect(typesOf(FIELDS)).to.include(`export interface Base {
  /** The label of record_id */
  record_id: crf.RecordIdField;
  /** The label of age */
  age: crf.IntegerField;
  /** The label of sex */
  sex: crf.ChoiceField<
    /** Female */ | '1'
    /** Male */ | '2'
  >;`);
  });

  it('prevents labels from ending their comment, adding a tag or changing the text direction', () => {
    const label = '*/ } export const x = 1; /* `${x}` @deprecated \u202e\u2066 \n\u2028 </script> 😀';
    const types = typesOf([someField('record_id', { label })]);

    expect(types).to.include('/** *\u2215 } export const x = 1; /* `${x}` \uFF20deprecated 😀 */');
  });

  it('lists every code of a choice field, and every export column of a checkbox once', () => {
    const choicesOrCalculations = 'A, Upper | a, Lower | -1, Minus | _1, Underscore | A, Again';
    const types = typesOf([
      ...FIELDS,
      ...['radio', 'dropdown'].map((type) => someField(type, { type, choicesOrCalculations })),
      someField('boxes', { type: 'checkbox', choicesOrCalculations }),
    ]);
    const codesOf = (field: string): string[] => {
      const [, body = ''] = new RegExp(`^  ${field}: crf\\.(.*?)^  [}>]`, 'ms').exec(types) ?? [];
      return [...body.matchAll(/'(.+?)';?$/gm)].map(([, code = '']) => code);
    };

    expect(codesOf('radio')).to.deep.equal(['A', 'a', '-1', '_1']);
    expect(codesOf('dropdown')).to.deep.equal(['A', 'a', '-1', '_1']);
    expect(codesOf('boxes')).to.deep.equal(['A', '-1']);
  });

  it('gives instruments with similar names separate interfaces', () => {
    const types = typesOf(
      ['visit_1', 'visit1', 'project'].map((instrument, at) => someField(`f${at}`, { instrument })),
    );

    expect([...types.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name)).to.deep.equal([
      ...['Visit1', 'Visit1_2', 'Project_2', 'Fields', 'Instruments', 'Events', 'Project'],
    ]);
  });
});

describe('compareProjectTypes', () => {
  it('finds no difference in an up-to-date file, however it is formatted', () => {
    expect(compareProjectTypes(typesOf(FIELDS), typesOf(FIELDS))).to.deep.equal([]);
    expect(compareProjectTypes(reformatted(typesOf(FIELDS)), typesOf(FIELDS))).to.deep.equal([]);
  });

  it('reads a file without semicolons, and with other quotes around an apostrophe', () => {
    const sites = someField('sites', { type: 'checkbox', choicesOrCalculations: "1, North | it's, South" });
    const now = typesOf([...FIELDS, sites, someField('interface')]);
    const formatted = now.replaceAll(';', '').replaceAll("'it\\'s'", `"it's"`);

    expect(formatted).to.include(`"it's"`);
    expect(compareProjectTypes(formatted, now)).to.deep.equal([]);
    expect(compareProjectTypes(formatted, typesOf(FIELDS))).to.deep.equal([
      'The field base.sites is gone.',
      'The field base.interface is gone.',
    ]);
  });

  for (const [title, fields, sentence] of [
    ['a new field', [...FIELDS, someField('height')], 'The field base.height is new.'],
    ['a field that is gone', FIELDS.slice(0, 2), 'The field base.sex is gone.'],
    [
      'another type',
      [FIELDS[0], someField('age', { validationType: 'number' }), SEX],
      'The field base.age was of the type IntegerField, and is of the type NumberField.',
    ],
    [
      'a new choice',
      [...FIELDS.slice(0, 2), { ...SEX, choicesOrCalculations: '1, Female | 2, Male | 3, Other' }],
      "The field base.sex has the new choice '3'.",
    ],
    [
      'a choice that is gone',
      [...FIELDS.slice(0, 2), { ...SEX, choicesOrCalculations: '1, Female' }],
      "The field base.sex has no longer the choice '2'.",
    ],
    ['a new instrument', [...FIELDS, someField('x', { instrument: 'more' })], 'The instrument more is new.'],
    [
      'another label',
      [FIELDS[0], someField('age', { validationType: 'integer', label: 'Years' }), SEX],
      'Labels, notes or limits have changed.',
    ],
  ] as const) {
    it(`reports ${title}`, () => {
      const now = typesOf(fields.flatMap((field) => field ?? []));

      expect(compareProjectTypes(typesOf(FIELDS), now)).to.deep.equal([sentence]);
      expect(compareProjectTypes(reformatted(typesOf(FIELDS)), now)).to.deep.equal([sentence]);
    });
  }

  it('reports a removed event', () => {
    expect(
      compareProjectTypes(typesOf(FIELDS, ['a_arm_1', 'b_arm_1']), typesOf(FIELDS, ['b_arm_1'])),
    ).to.deep.equal(['The event a_arm_1 is gone.']);
  });

  it('recognizes a file that it did not write', () => {
    expect(compareProjectTypes('export const x = 1;', typesOf(FIELDS))).to.deep.equal([
      'This file was not made by crf types.',
    ]);
  });
});
