import { expect } from 'chai';
import { cpuMsOf } from '../../../../support/cpu-ms-of.js';
import { compareProjectTypes } from '../../../../../src/domain/dictionary/project-types/compare-project-types.js';
import { someField } from '../../../../support/some-field.js';
import { FIELDS, SEX, typesOf } from './types-of.js';

/** Returns the source as a formatter with other settings would write it. */
function reformatted(source: string): string {
  return source
    .replaceAll("'", '"')
    .replaceAll('\n  ', '\n\t')
    .replace(/<\n\s+\/\*\* (.*?) \*\/ \| /g, '<\n    /** $1 */\n    | ');
}

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

  for (const [what, part] of [
    ['comments that do not end', '/*'],
    ['texts that do not end', `"'\\\n`],
    ['interfaces without members', 'interface a '],
    ['open blocks', 'interface a {'],
    ['words', 'a'],
    ['types in types', '<'],
  ] as const)
    it(`reads a file of ${what} in linear time`, () => {
      const file = `interface Project {} ${part.repeat(100_000)}`;

      expect(cpuMsOf(() => compareProjectTypes(file, typesOf(FIELDS)))).to.be.below(3_000);
    });

  it('compares many choices in linear time', () => {
    const choices = (first: number) =>
      Array.from({ length: 40_000 }, (_, index) => `${first + index}, A`).join(' | ');
    const withChoices = (first: number) =>
      typesOf([...FIELDS.slice(0, 2), { ...SEX, choicesOrCalculations: choices(first) }]);
    const [before, now] = [withChoices(0), withChoices(40_000)];

    expect(cpuMsOf(() => compareProjectTypes(before, now))).to.be.below(4_000);
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
      "The field base.sex no longer has the choice '2'.",
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
