import { expect } from 'chai';
import { someField } from '../../../../support/some-field.js';
import { isUpToDate } from '../../../../../src/domain/dictionary/project-types/write-project-types.js';
import { FIELDS, typesOf } from './types-of.js';

/** Returns the source as a formatter with other settings would write it. */
function reformatted(source: string): string {
  return source
    .replaceAll("'", '"')
    .replaceAll(';', '')
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
      'Visit1',
      'Visit1_2',
      'Project_2',
      'Fields',
      'Instruments',
      'Events',
      'Project',
    ]);
  });

  it('finds no difference in an up-to-date file, however it is formatted, and any other', () => {
    const sites = someField('sites', { type: 'checkbox', choicesOrCalculations: "1, North | it's, South" });
    const now = typesOf([...FIELDS, sites]);

    expect(isUpToDate(now, now)).to.equal(true);
    expect(isUpToDate(reformatted(now), now)).to.equal(true);
    expect(isUpToDate(typesOf(FIELDS), now)).to.equal(false);
    expect(isUpToDate(now.replace('IntegerField', 'NumberField'), now)).to.equal(false);
  });
});
